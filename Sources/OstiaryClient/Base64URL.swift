import Foundation

extension Data {
    /// Without padding. Source: RFC 4648 §5.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Returns: Nil for anything but the one form without padding.
    init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)),
            data.base64URL.utf8.elementsEqual(text.utf8)
        else { return nil }
        self = data
    }
}
