// The extension module makzero._makzero.
#include <nanobind/nanobind.h>

#include <exception>
#include <filesystem>

#include "models/error.h"
#include "play/python/objects.h"

// nanobind's macros are not ours to warn about.
#pragma GCC diagnostic ignored "-Wpedantic"

NB_MODULE(_makzero, module) {
  using namespace makzero;
  nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const models::Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  play::bind_games(&module);
  play::bind_batches(&module);
  play::bind_searches(&module);
  play::bind_files(&module);
}
