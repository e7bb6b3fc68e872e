# makzero_api(TARGET): adds api.cc to a library, with the document of api.json.
function(makzero_api TARGET)
  set(FOLDER ${PROJECT_SOURCE_DIR}/play/json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FOLDER}/api.json)
  file(READ ${FOLDER}/api.json API)
  configure_file(${FOLDER}/api_text.cc.in ${CMAKE_CURRENT_BINARY_DIR}/api_text.cc @ONLY)
  target_sources(${TARGET} PRIVATE ${FOLDER}/api.cc ${CMAKE_CURRENT_BINARY_DIR}/api_text.cc)
endfunction()
