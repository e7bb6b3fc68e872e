# makzero_proto(TARGET FILE.proto): a library of one schema of this folder; FOLDER/FILE.proto is included as
# "FOLDER/FILE.pb.h". Generated code is compiled without our warnings.
function(makzero_proto TARGET FILE)
  file(RELATIVE_PATH SCHEMA ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${FILE})
  string(REGEX REPLACE "\\.proto$" "" STEM ${SCHEMA})
  set(GENERATED ${PROJECT_BINARY_DIR}/generated)
  add_custom_command(
    OUTPUT ${GENERATED}/${STEM}.pb.cc ${GENERATED}/${STEM}.pb.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${GENERATED}
    COMMAND protobuf::protoc --proto_path=${PROJECT_SOURCE_DIR} --cpp_out=${GENERATED} ${SCHEMA}
    DEPENDS ${PROJECT_SOURCE_DIR}/${SCHEMA}
    VERBATIM)
  add_library(${TARGET} STATIC ${GENERATED}/${STEM}.pb.cc ${GENERATED}/${STEM}.pb.h)
  target_include_directories(${TARGET} SYSTEM PUBLIC ${GENERATED})
  target_link_libraries(${TARGET} PUBLIC protobuf::libprotobuf)
endfunction()
