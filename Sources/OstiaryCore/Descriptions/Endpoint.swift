/// The wire format of one operation: method, path, and the fields of request and answer.
public struct Endpoint: Codable, Hashable, Sendable {
    /// The HTTP method.
    public var method: Method
    /// The path below the contract's prefix. `{field}` is a placeholder for a field in the path.
    public var path: String
    /// The fields of the body, or of the query for GET; nil for the operation's default fields.
    public var takes: [FieldSpec]?
    /// The shape of a successful answer; nil for the operation's default.
    public var answers: AnswerShape?
    /// The status of a successful answer; nil for 201 if an account is created, 302 for a redirect, 204 for no body
    /// (200 in an envelope), and 200 otherwise.
    public var status: Int?
    /// Spellings in this endpoint's request that differ from the contract's.
    public var names: [Field: String]?

    /// An HTTP method, with its name on the request line. Source: RFC 9110 §9, RFC 5789 (PATCH).
    public enum Method: String, Codable, Hashable, Sendable {
        /// The GET method; fields are in the query.
        case get = "GET"
        /// The POST method; fields are in the body.
        case post = "POST"
        /// The PUT method; fields are in the body.
        case put = "PUT"
        /// The PATCH method; fields are in the body.
        case patch = "PATCH"
        /// The DELETE method; fields are in the body, or in the path only.
        case delete = "DELETE"
    }

    /// Creates an endpoint from its parts; nil leaves a part to the contract's rules.
    public init(
        _ method: Method, _ path: String, takes: [FieldSpec]? = nil, answers: AnswerShape? = nil, status: Int? = nil,
        names: [Field: String]? = nil
    ) {
        self.method = method
        self.path = path
        self.takes = takes
        self.answers = answers
        self.status = status
        self.names = names
    }

    /// Creates a GET endpoint, whose fields are in the query.
    public static func get(_ path: String, takes: [FieldSpec]? = nil, answers: AnswerShape? = nil) -> Endpoint {
        Endpoint(.get, path, takes: takes, answers: answers)
    }

    /// Creates a POST endpoint, whose fields are in the body.
    public static func post(
        _ path: String, takes: [FieldSpec]? = nil, answers: AnswerShape? = nil, status: Int? = nil,
        names: [Field: String]? = nil
    ) -> Endpoint {
        Endpoint(.post, path, takes: takes, answers: answers, status: status, names: names)
    }
}

/// The shape of a successful answer.
public enum AnswerShape: Codable, Hashable, Sendable {
    /// A JSON object with these fields.
    case fields([FieldSpec])
    /// The object `{"message": "…"}` with a fixed text.
    case message(String)
    /// No body; in an envelope, the bare envelope.
    case nothing
    /// A redirect to the field `location`.
    case redirect

    private enum CodingKeys: String, CodingKey { case fields, message, redirect, nothing }

    /// Decodes the shape from an object with one of the keys `fields`, `message`, `redirect` and `nothing`.
    ///
    /// - Throws: `DecodingError` if none of them is present or several are, or a value is of another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let present = try container.allKeys.filter { try !container.decodeNil(forKey: $0) }
        guard present.count <= 1 else { throw Self.problem(in: container) }
        if let fields = try container.decodeIfPresent([FieldSpec].self, forKey: .fields) {
            self = .fields(fields)
        } else if let message = try container.decodeIfPresent(String.self, forKey: .message) {
            self = .message(message)
        } else if try container.decodeIfPresent(Bool.self, forKey: .redirect) == true {
            self = .redirect
        } else if try container.decodeIfPresent(Bool.self, forKey: .nothing) == true {
            self = .nothing
        } else {
            throw Self.problem(in: container)
        }
    }

    private static func problem(in container: KeyedDecodingContainer<CodingKeys>) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: container.codingPath,
                debugDescription:
                    "one of fields, message, \"redirect\": true, \"nothing\": true is needed, and no other"))
    }

    /// Encodes the shape as an object with one key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .fields(let fields): try container.encode(fields, forKey: .fields)
        case .message(let message): try container.encode(message, forKey: .message)
        case .redirect: try container.encode(true, forKey: .redirect)
        case .nothing: try container.encode(true, forKey: .nothing)
        }
    }
}
