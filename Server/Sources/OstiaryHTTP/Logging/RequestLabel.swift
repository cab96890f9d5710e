/// The label of a request that performs no operation, in the access log.
enum RequestLabel: String, CaseIterable {
    case bodyTooLarge = "body_too_large"
    case contentEncoding = "content_encoding"
    case misdirected
    case openAPI
    case options
    case unauthenticated
    case unknownPath = "unknown_path"
    case unreadable
    case unsupportedMediaType = "unsupported_media_type"
    case wrongMethod = "wrong_method"
}
