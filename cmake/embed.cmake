# Script mode: writes OUT, a C++ file that holds FILES (see Embed.cmake). The bytes come in through
# the assembler's .incbin, which is fast for files of any size.
set(body "#include <span>\n#include <string_view>\n\n#include \"${FLOOR}/embedded.h\"\n\n")
set(table "")
set(count 0)
list(SORT FILES)
foreach(path IN LISTS FILES)
  file(RELATIVE_PATH name ${ROOT} ${path})
  set(label "tilebound_${FLOOR}_${SYMBOL}_${count}")
  string(APPEND body
    "asm(\".section .rodata\\n.balign 16\\n.global ${label}_begin\\n${label}_begin:\\n\"\n"
    "    \".incbin \\\"${path}\\\"\\n.global ${label}_end\\n${label}_end:\\n.byte 0\\n.text\\n\");\n"
    "extern \"C\" const char ${label}_begin[];\nextern \"C\" const char ${label}_end[];\n")
  string(APPEND table "      {\"${name}\", {${label}_begin, ${label}_end}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND body "\nnamespace tilebound::${FLOOR} {\n\n"
  "std::span<const EmbeddedFile> ${SYMBOL}() {\n"
  "  static const EmbeddedFile files[] = {\n${table}  };\n  return files;\n}\n\n"
  "}  // namespace tilebound::${FLOOR}\n")
file(WRITE ${OUT} "${body}")
