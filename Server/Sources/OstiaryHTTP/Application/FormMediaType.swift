/// The media type of forms. Source: WHATWG URL §5.
enum FormMediaType {
    private static let name = "application/x-www-form-urlencoded"

    /// Returns `true` for this media type, with or without parameters.
    static func isForm(_ contentType: String?) -> Bool {
        let type = (contentType ?? "").utf8.drop { $0 == ASCII.space }.prefix { $0 != UInt8(ascii: ";") }
        return ASCII.equals(type, name)
    }
}
