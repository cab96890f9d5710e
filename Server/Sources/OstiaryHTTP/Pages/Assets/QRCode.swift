import CQRencode

/// A QR code as a drawing: the dark modules as one path, in units of a module. Source: ISO/IEC 18004.
struct QRCode: Hashable {
    /// The number of modules on a side, with the quiet zone of four modules around.
    let size: Int
    /// The path's data: a rectangle for each run of dark modules in a row.
    let path: String

    /// The width of the light border that a reader needs, in modules.
    private static let quietZone = 4
    /// The longest text, more than an `otpauth:` URI has.
    static let maximumBytes = 1024

    /// - Returns: Nil for a text that is empty, too long or contains NUL.
    init?(_ text: String) {
        guard (1...Self.maximumBytes).contains(text.utf8.count), !text.utf8.contains(0),
            let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        // The lowest bit of a byte is the colour of its module.
        let modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
        size = width + 2 * Self.quietZone
        path = (0..<width).map { Self.row(modules[($0 * width)..<(($0 + 1) * width)], at: $0) }.joined()
    }

    private static func row(_ modules: ArraySlice<Bool>, at y: Int) -> String {
        var path = ""
        var x = modules.startIndex
        while let start = modules[x...].firstIndex(of: true) {
            x = modules[start...].firstIndex(of: false) ?? modules.endIndex
            path += "M\(start - modules.startIndex + quietZone) \(y + quietZone)h\(x - start)v1h-\(x - start)z"
        }
        return path
    }
}
