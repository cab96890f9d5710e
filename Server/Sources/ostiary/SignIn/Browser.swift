import Foundation

/// The person's browser.
struct Browser {
    private let program: String?

    /// - Parameter opens: `true` if it may be started.
    init(opens: Bool, environment: [String: String] = ProcessInfo.processInfo.environment) {
        #if os(macOS)
        program = opens ? "open" : nil
        #else
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        program = opens && hasScreen ? "xdg-open" : nil
        #endif
    }

    /// Prints the address, and opens it where there is a display.
    func show(_ address: String) {
        printLine("Open this address in a browser to sign in:\n  \(TerminalText.escaped(address))")
        // The server chose the address: only a web page is opened, and no text that a program could take for an option.
        let isPage = ["https://", "http://"].contains { address.hasPrefix($0) }
        guard let program, isPage, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program, address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // The address is printed: where no browser starts, the person opens it.
        try? process.run()
    }
}
