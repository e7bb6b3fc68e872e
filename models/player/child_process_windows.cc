#include "models/player/child_process.h"

#include <windows.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <thread>

namespace makzero::models {

// The job holds the process and those that it has started.
struct ChildProcess::System {
  HANDLE process = nullptr, job = nullptr;
  HANDLE input = nullptr, output = nullptr;  // Our ends of its pipes.
};

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{
    2};  // Between looks into a pipe, for which nothing waits with a deadline.

[[noreturn]] void fail() {
  throw std::system_error(static_cast<int>(GetLastError()), std::system_category());
}

std::wstring wide(const std::string& text) { return std::filesystem::path(text).wstring(); }

// Two ends of a pipe: the child inherits that which it reads or writes.
struct Pipe {
  HANDLE read = nullptr, write = nullptr;
};

Pipe make_pipe(HANDLE Pipe::*inherited) {
  Pipe pipe;
  if (!CreatePipe(&pipe.read, &pipe.write, nullptr, 0)) fail();
  SetHandleInformation(pipe.*inherited, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  return pipe;
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command) : system_(std::make_unique<System>()) {
  const Pipe in = make_pipe(&Pipe::read), out = make_pipe(&Pipe::write);
  STARTUPINFOW startup = {};
  startup.cb = sizeof startup;
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = in.read;
  startup.hStdOutput = out.write;
  startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION started = {};
  std::wstring line = wide(command);
  const bool is_started =
      CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE,
                     CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED, nullptr, nullptr, &startup, &started) != 0;
  const DWORD error = GetLastError();
  CloseHandle(in.read);
  CloseHandle(out.write);
  if (!is_started) {
    CloseHandle(in.write);
    CloseHandle(out.read);
    SetLastError(error);
    fail();
  }
  *system_ = {.process = started.hProcess,
              .job = CreateJobObjectW(nullptr, nullptr),
              .input = in.write,
              .output = out.read};
  AssignProcessToJobObject(system_->job, system_->process);
  ResumeThread(started.hThread);
  CloseHandle(started.hThread);
}

ChildProcess::~ChildProcess() {
  CloseHandle(system_->input);
  CloseHandle(system_->output);
  WaitForSingleObject(system_->process, INFINITE);
  CloseHandle(system_->process);
  CloseHandle(system_->job);
}

bool ChildProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD written = 0;
    if (!WriteFile(system_->input, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr))
      return false;
    bytes.remove_prefix(written);
  }
  return true;
}

bool ChildProcess::read(steady_clock::time_point deadline, std::string* bytes) {
  while (steady_clock::now() < deadline) {
    DWORD waiting = 0;
    if (!PeekNamedPipe(system_->output, nullptr, 0, nullptr, &waiting, nullptr)) return false;
    if (waiting == 0) {
      std::this_thread::sleep_for(kLook);
      continue;
    }
    std::array<char, 4096> piece;
    DWORD size = 0;
    if (!ReadFile(system_->output, piece.data(), piece.size(), &size, nullptr)) return false;
    bytes->append(piece.data(), size);
    return true;
  }
  return false;
}

void ChildProcess::kill() { TerminateJobObject(system_->job, 1); }

std::chrono::nanoseconds ChildProcess::processor_time() const {
  static constexpr std::int64_t kTick = 100;  // Nanoseconds.
  JOBOBJECT_BASIC_ACCOUNTING_INFORMATION used = {};
  QueryInformationJobObject(system_->job, JobObjectBasicAccountingInformation, &used, sizeof used, nullptr);
  return std::chrono::nanoseconds(kTick * (used.TotalUserTime.QuadPart + used.TotalKernelTime.QuadPart));
}

bool is_installed(const std::string& program) {
  return SearchPathW(nullptr, wide(program).c_str(), L".exe", 0, nullptr, nullptr) != 0;
}

}  // namespace makzero::models
