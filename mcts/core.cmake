# libmakzero_core.so: rules and search, once for each level of x86-64, of which the loader takes the best that the processor
# knows (glibc-hwcaps). A program links makzero_core before all else: nothing is then taken from makzero_game and
# makzero_mcts. Each library keeps to its own copies of inline functions: those of the program know less of the processor.
makzero_core_sources(SOURCES)

# makzero_core_for(LEVEL FOLDER): the folder is that of the build and of the installation.
function(makzero_core_for LEVEL FOLDER)
  set(CORE makzero_core_${LEVEL})
  add_library(${CORE} SHARED ${SOURCES})
  target_link_libraries(${CORE} PRIVATE makzero_flags Threads::Threads)
  target_compile_options(${CORE} PRIVATE -O3 -fno-semantic-interposition)
  target_link_options(${CORE} PRIVATE LINKER:-Bsymbolic)
  set_target_properties(${CORE} PROPERTIES OUTPUT_NAME makzero_core MAKZERO_ARCH ${LEVEL} CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${FOLDER} INSTALL_RPATH "")
  install(TARGETS ${CORE} DESTINATION ${FOLDER})
endfunction()
makzero_core_for(x86-64-v2 lib/makzero)
foreach(LEVEL x86-64-v3 x86-64-v4)
  makzero_core_for(${LEVEL} lib/makzero/glibc-hwcaps/${LEVEL})
  add_dependencies(makzero_core_x86-64-v2 makzero_core_${LEVEL})
endforeach()
add_library(makzero_core ALIAS makzero_core_x86-64-v2)
