#version 460

// One small triangle an object; the object is the record's first instance.
layout(location = 0) flat out uint object;

void main() {
  object = gl_BaseInstance;
  const float columns = 64.0;
  const vec2 cell = vec2(mod(float(object), columns), floor(float(object) / columns));
  const vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4((cell + corner) / columns * 2.0 - 1.0, 0.5, 1.0);
}
