#include "nn/build_hash.h"
#include "nn/torch_plugin.h"

namespace makzero::nn {

const char* build_id() { return MAKZERO_VERSION " (headers " MAKZERO_BUILD_HASH ")"; }

}  // namespace makzero::nn
