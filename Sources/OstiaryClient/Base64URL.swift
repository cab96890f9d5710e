import Foundation

extension Data {
    /// The base64url encoding without padding. Source: RFC 4648 §5.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes base64url.
    ///
    /// - Returns: Nil for anything but the canonical form without padding.
    init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)),
            data.base64URL.utf8.elementsEqual(text.utf8)
        else { return nil }
        self = data
    }
}
