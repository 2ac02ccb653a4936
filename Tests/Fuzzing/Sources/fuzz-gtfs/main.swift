// Unsafe: libFuzzer passes pointers. Each input is copied before a target sees it.

import CFuzzer
import Glibc

// fuzz-gtfs TARGET [arguments for libFuzzer]
//
// The name of the target comes before libFuzzer's arguments and is removed here.

guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    print("usage: fuzz-gtfs TARGET [libFuzzer's options] [corpus folders]; targets: \(names)")
    exit(64)
}
chosenTarget = target
target.prepare()

var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        chosenTarget?.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    })
