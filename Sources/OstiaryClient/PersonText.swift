/// Texts that may be shown to the user.
package enum PersonText {
    private static let maximumBytes = 500

    /// Returns a server's text if it may be shown to the user: no HTML page, no control characters other than line
    /// breaks and tabs, at most 500 bytes.
    package static func shown(_ text: String) -> String? {
        let bytes = text.utf8
        let start = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        guard let start, start != UInt8(ascii: "<"), bytes.count <= maximumBytes,
            text.unicodeScalars.allSatisfy({ !$0.isControl })
        else { return nil }
        return text
    }

    /// Returns the text for a status for which the server gave no message.
    package static func ofStatus(_ status: Int) -> String {
        switch status {
        case 200..<300: "The server says that this did not succeed."
        case 300..<400: "The server sends this request elsewhere, where it is not followed."
        case 400, 422: "The server did not accept what was sent."
        case 403: "This is not allowed."
        case 404, 410: notFound
        case 405, 415, 501: "The server cannot do this."
        case 409, 412: "Something has changed meanwhile. Look again, then repeat it."
        case 413: "This is too large for the server."
        case 500...: unavailableWithoutIncident
        default: "The server refused this (\(status))."
        }
    }
}

extension Unicode.Scalar {
    /// `true` for control characters other than line breaks and tabs.
    fileprivate var isControl: Bool {
        properties.generalCategory == .control && ![0x09, 0x0A, 0x0D].contains(value)
    }
}
