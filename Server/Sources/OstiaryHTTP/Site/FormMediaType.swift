/// The media type of forms. Source: WHATWG URL §5.
enum FormMediaType {
    private static let name = "application/x-www-form-urlencoded"

    /// Returns `true` for the type itself, whatever parameters follow it.
    static func isForm(_ contentType: String?) -> Bool {
        let type = (contentType ?? "").utf8.drop { $0 == ASCII.space }.prefix { $0 != UInt8(ascii: ";") }
        return ASCII.equals(Array(type)[...], name)
    }
}
