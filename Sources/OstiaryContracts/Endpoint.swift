public import OstiaryCore

/// How one operation is spelled: method, path, what the request carries and what the answer holds.
public struct Endpoint: Codable, Hashable, Sendable {
    public var method: Method
    /// Below the contract's prefix. `{field}` stands for a field in the path.
    public var path: String
    /// The fields of the body, or of the query for GET; nil for what the operation always needs.
    public var takes: [FieldUse]?
    /// Nil for what the operation always answers.
    public var answers: AnswerShape?
    /// Nil for 201 where an account is made, 302 for a redirect, 204 for nothing, and 200 otherwise.
    public var status: Int?
    /// Names in this endpoint's request that differ from the contract's.
    public var names: [Field: String]?

    public enum Method: String, Codable, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public init(
        _ method: Method, _ path: String, takes: [FieldUse]? = nil, answers: AnswerShape? = nil, status: Int? = nil,
        names: [Field: String]? = nil
    ) {
        self.method = method
        self.path = path
        self.takes = takes
        self.answers = answers
        self.status = status
        self.names = names
    }

    public static func get(_ path: String, takes: [FieldUse]? = nil, answers: AnswerShape? = nil) -> Endpoint {
        Endpoint(.get, path, takes: takes, answers: answers)
    }

    public static func post(
        _ path: String, takes: [FieldUse]? = nil, answers: AnswerShape? = nil, status: Int? = nil,
        names: [Field: String]? = nil
    ) -> Endpoint {
        Endpoint(.post, path, takes: takes, answers: answers, status: status, names: names)
    }
}

/// What a successful answer holds.
public enum AnswerShape: Codable, Hashable, Sendable {
    /// A JSON object with these fields.
    case fields([FieldUse])
    /// `{"message": "…"}` with a fixed text.
    case message(String)
    /// No body; in an envelope, the bare envelope.
    case nothing
    /// A redirect to the field `location`.
    case redirect

    private enum CodingKeys: String, CodingKey { case fields, message, redirect, nothing }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let fields = try container.decodeIfPresent([FieldUse].self, forKey: .fields) {
            self = .fields(fields)
        } else if let message = try container.decodeIfPresent(String.self, forKey: .message) {
            self = .message(message)
        } else if try container.decodeIfPresent(Bool.self, forKey: .redirect) == true {
            self = .redirect
        } else if try container.decodeIfPresent(Bool.self, forKey: .nothing) == true {
            self = .nothing
        } else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath,
                    debugDescription: "one of fields, message, \"redirect\": true, \"nothing\": true is needed"))
        }
    }

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
