// A plugin of another build.
extern "C" const char* makzero_torch_build_id() { return "0.0.1-0ddba11"; }
extern "C" const void* makzero_torch_table() { return nullptr; }
