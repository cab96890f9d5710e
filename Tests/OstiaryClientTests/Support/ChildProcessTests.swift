#if os(Linux)
import Foundation
import OstiaryTestSupport
import Testing

/// What the tests' own tool promises.
struct ChildProcessTests {
    @Test func `passes no descriptor on but the three that every program has`() async throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        #expect(fcntl(descriptor, F_GETFD) == 0, "another program would have it")
        let list = try ChildProcess("ls", ["/proc/self/fd"])
        var descriptors: [String] = []
        while let line = await list.nextLine() { descriptors.append(line) }
        // The last is what it reads the list with.
        #expect(descriptors == ["0", "1", "2", "3"])
        list.closeInput()
        #expect(await list.ended() == 0)
    }
}
#endif
