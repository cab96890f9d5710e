import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// An answer in the form in which it is kept for repetitions of its request.
struct KeptAnswer {
    private let status: Int
    private let headers: [String: String]
    private let body: [UInt8]

    init(_ response: ServerResponse) {
        status = response.status
        headers = response.headers
        body = response.body
    }

    /// - Throws: ``AuthError/unavailable(incident:)`` for bytes of another form.
    init(_ bytes: [UInt8]) throws(AuthError) {
        guard let json = try? JSON.read(bytes), case .integer(let status)? = json["status"],
            case .object(let headers)? = json["headers"], case .string(let body)? = json["body"],
            let content = Base64URL.decode(body.utf8)
        else { throw .unavailable(incident: nil) }
        self.status = status
        self.headers = Dictionary(
            headers.map { header in
                guard case .string(let value) = header.value else { return (header.name, "") }
                return (header.name, value)
            }
        ) { first, _ in first }
        self.body = content
    }

    var bytes: [UInt8] {
        let headers = headers.map { JSON.Member($0.key, .string($0.value)) }
        return
            ([
                "status": .integer(status), "headers": .object(headers), "body": .string(Base64URL.encode(body)),
            ] as JSON).bytes
    }

    var response: ServerResponse { ServerResponse(status: status, headers: headers, body: body) }
}
