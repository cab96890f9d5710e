/// The request headers that the connection checks, or keeps to itself.
enum KnownHeader {
    case host
    case contentLength
    case transferEncoding
    case expect
    case connection
    /// Headers that must not repeat, because two readers could each use another value.
    case authorization
    case contentType
    /// Headers about other protocols, none of which is supported.
    case otherProtocol

    /// - Parameter name: In any letter case.
    init?(_ name: UnsafeRawBufferPointer) {
        switch name.count {
        case 4 where ASCII.equals(name, "host"): self = .host
        case 6 where ASCII.equals(name, "expect"): self = .expect
        case 7 where ASCII.equals(name, "upgrade"): self = .otherProtocol
        case 10 where ASCII.equals(name, "connection"): self = .connection
        case 10 where ASCII.equals(name, "keep-alive"): self = .otherProtocol
        case 12 where ASCII.equals(name, "content-type"): self = .contentType
        case 13 where ASCII.equals(name, "authorization"): self = .authorization
        case 14 where ASCII.equals(name, "content-length"): self = .contentLength
        case 14 where ASCII.equals(name, "http2-settings"): self = .otherProtocol
        case 16 where ASCII.equals(name, "proxy-connection"): self = .otherProtocol
        case 17 where ASCII.equals(name, "transfer-encoding"): self = .transferEncoding
        default: return nil
        }
    }
}
