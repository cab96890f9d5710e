import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// An answer in the form in which it is kept for repetitions of its request.
struct KeptAnswer {
    private let status: Int
    private let headers: [JSON.Member]
    private let body: [UInt8]

    init(_ response: ServerResponse) {
        status = response.status
        headers = response.headers.map { JSON.Member($0.key, .string($0.value)) }
        body = response.body
    }

    /// - Throws: ``AuthError/unavailable(incident:)`` for bytes of another form.
    init(_ bytes: [UInt8]) throws(AuthError) {
        guard let json = try? JSON.read(bytes), case .integer(let status)? = json["status"],
            case .object(let headers)? = json["headers"], case .string(let body)? = json["body"],
            let content = Base64URL.decode(body.utf8)
        else { throw .unavailable(incident: nil) }
        self.status = status
        self.headers = headers
        self.body = content
    }

    var bytes: [UInt8] {
        ([
            "status": .integer(status), "headers": .object(headers), "body": .string(Base64URL.encode(body)),
        ] as JSON).bytes
    }

    var response: ServerResponse {
        var response = ServerResponse(status: status, body: body)
        for header in headers {
            if case .string(let value) = header.value { response.headers[header.name] = value }
        }
        return response
    }
}
