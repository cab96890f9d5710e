import OstiaryContracts
import OstiaryCore

/// The media types of the admin API.
public enum AdminMediaType {
    /// A body in JSON. Source: RFC 8259.
    public static let json = "application/json"
    /// A merge patch. Source: RFC 7396.
    public static let mergePatch = "application/merge-patch+json"
    /// A refusal. Source: RFC 9457.
    public static let problem = "application/problem+json"
    /// A list with one JSON value a line.
    public static let lines = "application/x-ndjson"
}

extension AdminOperation {
    /// Returns `true` if a request's body may have a media type: JSON in UTF-8, and a merge patch for a patch.
    public func accepts(mediaType: String?) -> Bool {
        MediaType.isUTF8(
            mediaType, of: method == .patch ? [AdminMediaType.mergePatch, AdminMediaType.json] : [AdminMediaType.json])
    }
}
