# SPDX-License-Identifier: Apache-2.0
# The file's bytes as a C array: no quoting to get wrong, no length limit of string literals.
function(embed room path symbol)
  set(output ${CMAKE_BINARY_DIR}/generated/embedded/${symbol}.hpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/${path} -DOUTPUT=${output} -DSYMBOL=${symbol}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
    DEPENDS ${CMAKE_SOURCE_DIR}/${path} ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
    VERBATIM)
  target_sources(tpuctl_${room} PRIVATE ${output})
endfunction()
