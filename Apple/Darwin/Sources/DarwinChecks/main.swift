import Darwin
import Foundation

@testable import DarwinBranches

func check(_ condition: Bool, _ what: String) -> Bool {
    print(condition ? "✔ \(what)" : "✘ \(what)")
    return condition
}

let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try Data("text".utf8).write(to: file)
defer { try? FileManager.default.removeItem(at: file) }
let handle = try FileHandle(forUpdating: file)

let results = [
    // Linux does not support F_FULLFSYNC, nor do some of macOS' file systems.
    check(fcntl(handle.fileDescriptor, F_FULLFSYNC) == -1, "this system refuses the full synchronization"),
    check(synchronize(handle.fileDescriptor), "falls back to fsync where the full synchronization is refused"),
    check(!synchronize(-1), "reports a file that cannot be synchronized"),
    // A build with the branches for Linux would have a flag.
    check(SocketSignals.sendFlags == 0, "has the flags of Darwin"),
]
print("\(results.filter { $0 }.count) passed, \(results.filter { !$0 }.count) failed")
exit(results.contains(false) ? 1 : 0)
