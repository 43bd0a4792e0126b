# Script mode: builds the report page OUT from FILES below ROOT (see Web.cmake).
get_filename_component(folder ${OUT} DIRECTORY)

function(give_up reason)
  message(WARNING "no report page: ${reason}; --format html will say so")
  file(WRITE ${OUT} "this build has no report page: ${reason} when it was built")
endfunction()

if(NOT NODE OR NOT NPM)
  give_up("Node was absent")
  return()
endif()

foreach(path IN LISTS FILES)
  file(RELATIVE_PATH name ${ROOT} ${path})
  configure_file(${path} ${folder}/${name} COPYONLY)
endforeach()

# Packages are fetched again only when the lock file changes.
file(SHA256 ${ROOT}/package-lock.json lock)
set(stamp ${folder}/node_modules/.tilebound-${lock})
if(NOT EXISTS ${stamp})
  set(install ${NPM} ci --no-audit --no-fund --ignore-scripts --loglevel=error)
  execute_process(COMMAND ${install} --offline WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed
                  OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    execute_process(COMMAND ${install} WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed)
  endif()
  if(failed)
    give_up("npm could not install its packages")
    return()
  endif()
  file(WRITE ${stamp} "")
endif()

execute_process(COMMAND ${NODE} build.mjs ${OUT} WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed)
if(failed)
  file(REMOVE ${OUT})
  message(FATAL_ERROR "the report page does not build")
endif()
