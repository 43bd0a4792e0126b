# Puts data files into a floor's library, so that the program needs no files beside it.
#
# embed_files(<floor> <symbol> <root> <files...>) generates
#   namespace tilebound::<floor> { std::span<const EmbeddedFile> <symbol>(); }
# declared by the floor itself; EmbeddedFile has a name relative to <root> and the bytes.
function(embed_files floor symbol root)
  set(out ${CMAKE_BINARY_DIR}/embedded/${floor}_${symbol}.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DFLOOR=${floor} -DSYMBOL=${symbol} -DROOT=${root}
            "-DFILES=${ARGN}" -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
  target_sources(tilebound_${floor} PRIVATE ${out})
endfunction()
