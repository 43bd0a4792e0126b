# Builds the report page from web/ with Node: one HTML file without anything beside it.
#
# build_report_page(<out>): the sources are copied to <out>'s folder and built there, so that the
# source tree stays clean. Without Node or its packages <out> holds a sentence that says so; the
# program then works without `--format html`.
find_program(NODE_PROGRAM NAMES node nodejs)
find_program(NPM_PROGRAM npm)

function(build_report_page out)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/*)
  list(FILTER sources EXCLUDE REGEX "/(node_modules|dist)/")
  set(script ${CMAKE_SOURCE_DIR}/cmake/build_page.cmake)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DROOT=${CMAKE_SOURCE_DIR}/web -DNODE=${NODE_PROGRAM}
            -DNPM=${NPM_PROGRAM} "-DFILES=${sources}" -P ${script}
    DEPENDS ${sources} ${script}
    COMMENT "Building the report page"
    VERBATIM)
endfunction()
