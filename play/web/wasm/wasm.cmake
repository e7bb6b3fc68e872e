# makzero.wasm: game, mcts, the encoder and what front ends see of a game, for `makzero export --to web`. Built where
# Clang can compile for WebAssembly (the packages clang lld wasi-libc libc++-dev-wasm32
# libclang-rt-dev-wasm32); else LOCAL_PAGE_FILES stays empty, and the program says what is missing. The same of
# TOWER_PAGE_FILES where the packages of npm are not installed (`npm install` in play/web).
set(LOCAL_PAGE_FILES "")
set(TOWER_PAGE_FILES "")
set(RUNTIME ${CMAKE_CURRENT_SOURCE_DIR}/node_modules/onnxruntime-web/dist)
find_program(WASM_COMPILER clang++)
find_program(WASM_LINKER wasm-ld)
if(NOT WASM_COMPILER OR NOT WASM_LINKER OR NOT EXISTS /usr/include/wasm32-wasi/c++/v1)
  message(STATUS "Without `makzero export --to web`: see play/web/wasm/wasm.cmake")
  return()
endif()

# No RTTI and no exceptions: half the size; searches and rules are compiled for speed, the rest for size. JSON's header stands
# alone among foreign ones: the others are not for this system.
find_package(nlohmann_json REQUIRED)
get_target_property(JSON_FOLDER nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
list(GET JSON_FOLDER 0 JSON_FOLDER)
set(BUILD ${CMAKE_CURRENT_BINARY_DIR}/wasm)
file(MAKE_DIRECTORY ${BUILD}/include)
file(CREATE_LINK ${JSON_FOLDER}/nlohmann ${BUILD}/include/nlohmann SYMBOLIC)
set(FLAGS --target=wasm32-wasi -std=c++20 -msimd128 -DNDEBUG -fno-exceptions -fno-rtti -ffp-contract=off
  -DJSON_HAS_FILESYSTEM=0 -DJSON_HAS_EXPERIMENTAL_FILESYSTEM=0
  -isystem ${BUILD}/include -I${PROJECT_SOURCE_DIR} -Wall -Wextra -Wno-missing-field-initializers)
if(MAKZERO_WERROR)
  list(APPEND FLAGS -Werror)
endif()

makzero_core_sources(SOURCES)
list(FILTER SOURCES EXCLUDE REGEX parallel_searcher|endings/solver)  # A page has no threads and no exceptions.
foreach(FILE nn/encoder nn/planes models/fingerprint play/message play/views
    play/played_game play/engine/search_info play/json/document_json play/json/game_json play/json/rules_json
    play/notation/dialect play/notation/document_reader play/notation/document_writer play/notation/game_document
    play/notation/judgement play/notation/movetext play/notation/written_move play/web/wasm/bindings)
  list(APPEND SOURCES ${PROJECT_SOURCE_DIR}/${FILE}.cc)
endforeach()

set(OBJECTS "")
foreach(SOURCE ${SOURCES})
  string(MD5 NAME ${SOURCE})
  cmake_path(GET SOURCE STEM STEM)
  set(OBJECT ${BUILD}/${STEM}-${NAME}.o)
  set(LEVEL -Oz)
  if(SOURCE MATCHES "/mcts/(alpha_beta/|small_network)")
    set(LEVEL -O3)
  elseif(SOURCE MATCHES "/game/(rules/|position)")
    set(LEVEL -O2)
  endif()
  add_custom_command(OUTPUT ${OBJECT} DEPENDS ${SOURCE} DEPFILE ${OBJECT}.d
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${WASM_COMPILER} ${FLAGS} ${LEVEL} -MD -MF ${OBJECT}.d -c ${SOURCE} -o ${OBJECT}
    COMMENT "Compiling ${STEM}.cc for WebAssembly" VERBATIM)
  list(APPEND OBJECTS ${OBJECT})
endforeach()
set(WASM ${BUILD}/makzero.wasm)
add_custom_command(OUTPUT ${WASM} DEPENDS ${OBJECTS}
  COMMAND ${WASM_COMPILER} --target=wasm32-wasi -mexec-model=reactor -Wl,--no-entry,--strip-all,--gc-sections
    ${OBJECTS} -o ${WASM}
  COMMENT "Linking makzero.wasm" VERBATIM)

# The notices of what makzero.wasm carries.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE NOTICES)
file(GLOB COPYRIGHTS /usr/share/doc/libc++-[0-9]*-dev-wasm32/copyright)
foreach(FILE /usr/share/doc/wasi-libc/copyright /usr/share/doc/nlohmann-json3-dev/copyright ${COPYRIGHTS})
  file(READ ${FILE} TEXT)
  cmake_path(GET FILE PARENT_PATH PACKAGE)
  cmake_path(GET PACKAGE FILENAME PACKAGE)
  string(APPEND NOTICES "\n---- ${PACKAGE}\n\n${TEXT}")
endforeach()
file(WRITE ${BUILD}/licences.txt "${NOTICES}")

set(SITE ${CMAKE_CURRENT_SOURCE_DIR}/site)
set(LOCAL_PAGE_FILES ${WASM} ${BUILD}/licences.txt ${SITE}/manifest.webmanifest ${SITE}/icon-192.png ${SITE}/icon-512.png
  ${SITE}/service_worker.js)
if(EXISTS ${RUNTIME} AND NOT MAKZERO_PACKAGE AND NOT MAKZERO_PLAY_ONLY)
  set(TOWER_PAGE_FILES ${RUNTIME}/ort.wasm.bundle.min.mjs ${RUNTIME}/ort-wasm-simd-threaded.wasm)
  set_property(GLOBAL PROPERTY MAKZERO_TOWER_PAGE ON)  # For the tests, ...
endif()
set_property(GLOBAL PROPERTY MAKZERO_LOCAL_PAGE ON)  # ... like this.
