# makzero_embedded_sources(VARIABLE): the sources of rules, search, encoder, notation and documents as absolute paths, for
# what is compiled apart from the program: libmakzero and makzero.wasm. They need the standard library and JSON's header
# alone, and no threads.
function(makzero_embedded_sources VARIABLE)
  set(SOURCES "")
  foreach(LIBRARY makzero_game makzero_mcts)
    get_target_property(FOLDER ${LIBRARY} SOURCE_DIR)
    get_target_property(FILES ${LIBRARY} SOURCES)
    foreach(FILE ${FILES})
      cmake_path(ABSOLUTE_PATH FILE BASE_DIRECTORY ${FOLDER})
      list(APPEND SOURCES ${FILE})
    endforeach()
  endforeach()
  list(FILTER SOURCES EXCLUDE REGEX parallel_searcher)
  foreach(FILE nn/encoder nn/planes models/fingerprint play/check_view play/count_view play/message play/outcome_view
      play/played_game play/engine/search_info play/json/document_json play/json/game_json play/json/rules_json
      play/notation/dialect play/notation/document_reader play/notation/document_writer play/notation/game_document
      play/notation/judgement play/notation/movetext play/notation/written_move)
    list(APPEND SOURCES ${PROJECT_SOURCE_DIR}/${FILE}.cc)
  endforeach()
  set(${VARIABLE} ${SOURCES} PARENT_SCOPE)
endfunction()
