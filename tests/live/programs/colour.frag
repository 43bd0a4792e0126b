#version 460

layout(location = 0) flat in uint object;
layout(location = 0) out vec4 colour;

void main() { colour = unpackUnorm4x8(object * 2654435761u); }
