# What a package holds besides the program, and the packages: `makzero` with everything that plays and small networks, and
# `makzero-torch` with LibTorch's plugin and the towers of families. tests/release.sh makes them and tries them.
set(DOC share/doc/makzero)

# Completion of shells, where Debian's shells look for it.
set(COMPLETIONS ${CMAKE_CURRENT_BINARY_DIR}/completions)
file(MAKE_DIRECTORY ${COMPLETIONS})
foreach(SHELL bash zsh fish)
  add_custom_command(OUTPUT ${COMPLETIONS}/${SHELL} DEPENDS makzero
    COMMAND makzero --completion ${SHELL} > ${COMPLETIONS}/${SHELL} VERBATIM)
endforeach()
add_custom_target(makzero_completions ALL DEPENDS ${COMPLETIONS}/bash ${COMPLETIONS}/zsh ${COMPLETIONS}/fish)
install(FILES ${COMPLETIONS}/bash DESTINATION share/bash-completion/completions RENAME makzero)
install(FILES ${COMPLETIONS}/zsh DESTINATION share/zsh/vendor-completions RENAME _makzero)
install(FILES ${COMPLETIONS}/fish DESTINATION share/fish/vendor_completions.d RENAME makzero.fish)

# Documents as they lie in the sources, so that what one says of another is found; schemas and examples among them.
foreach(FOLDER game mcts nn models train play)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${FOLDER} DESTINATION ${DOC} FILES_MATCHING
    PATTERN "*.md" PATTERN "*.proto" PATTERN "api.json" PATTERN "texts/*.txt" PATTERN "examples/*"
    PATTERN zoo EXCLUDE PATTERN node_modules EXCLUDE PATTERN web EXCLUDE PATTERN build EXCLUDE)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${DOC})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${DOC} RENAME copyright)

# The licences of what the program carries.
foreach(PACKAGE libboost-dev libbsd-dev libcli11-dev libedit-dev libfmt-dev libhiredis-dev libmd-dev libncurses-dev
    libprotobuf-dev libspdlog-dev libsqlite3-dev libxxhash-dev libzstd-dev nlohmann-json3-dev zlib1g-dev)
  install(FILES /usr/share/doc/${PACKAGE}/copyright DESTINATION ${DOC}/licences RENAME ${PACKAGE})
endforeach()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME makzero)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The makers of MakZero")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Board games of Southeast Asia: plays, analyses, trains networks")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL makzero torch embed)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib/makzero)
set(CPACK_DEBIAN_MAKZERO_PACKAGE_NAME makzero)
set(CPACK_DEBIAN_TORCH_PACKAGE_NAME makzero-torch)
# Without OpenBLAS the reference BLAS would be installed, at a tenth of its speed.
set(CPACK_DEBIAN_TORCH_PACKAGE_DEPENDS "makzero (= ${PROJECT_VERSION}), libopenblas0-pthread")
set(CPACK_COMPONENT_MAKZERO_DESCRIPTION
  "Program, page and small networks for Mak-yek, Makruk and their kin.\nPlays in the terminal, the browser and chess clients.")
set(CPACK_COMPONENT_TORCH_DESCRIPTION
  "What makzero needs to train networks and to play with towers.\nThe plugin for LibTorch, and the towers of families.")
set(CPACK_DEBIAN_EMBED_PACKAGE_NAME libmakzero-dev)
set(CPACK_DEBIAN_EMBED_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_EMBED_DESCRIPTION
  "Rules, search with small networks and game documents as a library.\nA C interface, with files for pkg-config and CMake.")
include(CPack)
