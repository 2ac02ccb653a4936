import Glibc

/// Whether the address or the thread sanitizer is in this process. Both take memory of their own, so tests about memory
/// are not run with them.
public let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
