import Foundation
import OstiaryContracts
import OstiaryCore

/// The reason why bytes cannot be read as a queue by this version.
enum SavedQueueProblem: Error, Hashable {
    case damaged
    case newerVersion
}

extension SavedQueue {
    /// The version of the format, increased for changes that an older reader would misinterpret. Every version has a
    /// golden file in the tests.
    static let version = 1

    private enum Key {
        static let version = "version"
        static let requests = "requests"
    }

    /// The content of the file: JSON, in the order of the queue.
    var bytes: [UInt8] {
        let json: JSON = .object([
            JSON.Member(Key.version, .integer(Self.version)),
            JSON.Member(Key.requests, .array(requests.map(\.json))),
        ])
        return Array(json.prettyText.utf8) + [0x0A]
    }

    init(bytes: [UInt8]) throws(SavedQueueProblem) {
        guard let json = try? JSON.read(bytes), case .integer(let version) = json[Key.version], version >= 1 else {
            throw .damaged
        }
        guard version <= Self.version else { throw .newerVersion }
        guard case .array(let elements) = json[Key.requests] else { throw .damaged }
        let requests = elements.compactMap { QueuedRequest($0) }
        guard requests.count == elements.count, Set(requests.map(\.id)).count == requests.count else { throw .damaged }
        self.init(requests: requests)
    }
}

extension QueuedRequest {
    private enum Key {
        static let id = "id"
        static let contract = "contract"
        static let baseURL = "base_url"
        static let account = "account_id"
        static let session = "session_id"
        static let method = "method"
        static let path = "path"
        static let query = "query"
        static let headers = "headers"
        static let body = "body"
        static let queuedAt = "queued_at"
    }

    /// The request as JSON: the body in base64, because it can have any content; times in seconds since 1970.
    fileprivate var json: JSON {
        let person =
            switch owner.person {
            case .account(let id): JSON.Member(Key.account, .string(id.text))
            case .session(let id): JSON.Member(Key.session, .string(id.rawValue))
            }
        let headers = request.headers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object([
            JSON.Member(Key.id, .string(id.text)),
            JSON.Member(Key.contract, .string(owner.contract)),
            JSON.Member(Key.baseURL, .string(owner.baseURL.text)),
            person,
            JSON.Member(Key.method, .string(request.method)),
            JSON.Member(Key.path, .string(request.path)),
            JSON.Member(Key.query, .string(request.query)),
            JSON.Member(Key.headers, .object(headers.map { JSON.Member($0.key, .string($0.value)) })),
            JSON.Member(Key.body, .string(Data(request.body).base64EncodedString())),
            JSON.Member(Key.queuedAt, .integer(Int(queuedAt.timeIntervalSince1970))),
        ])
    }

    fileprivate init?(_ json: JSON) {
        guard let id = json.text(Key.id).flatMap({ UUID(uuidString: $0) }), let owner = Self.owner(json),
            let method = json.text(Key.method), let path = json.text(Key.path), let query = json.text(Key.query),
            case .object(let members) = json[Key.headers],
            let body = json.text(Key.body).flatMap({ Data(base64Encoded: $0) }),
            case .integer(let queuedAt) = json[Key.queuedAt]
        else { return nil }
        var headers: [String: String] = [:]
        for member in members {
            guard case .string(let value) = member.value else { return nil }
            headers[member.name] = value
        }
        self.init(
            id: ID(id), owner: owner,
            request: WireRequest(method: method, path: path, query: query, headers: headers, body: Array(body)),
            queuedAt: Date(timeIntervalSince1970: TimeInterval(queuedAt)))
    }

    private static func owner(_ json: JSON) -> QueueOwner? {
        guard let contract = json.text(Key.contract),
            // Plain HTTP was allowed or rejected when the request was queued.
            let baseURL = json.text(Key.baseURL).flatMap({ try? BaseURL($0, allowsPlainHTTP: true) })
        else { return nil }
        switch (json.text(Key.account), json.text(Key.session)) {
        case (let account?, nil):
            guard let id = try? AccountID(account) else { return nil }
            return QueueOwner(contract: contract, baseURL: baseURL, person: .account(id))
        case (nil, let session?):
            let id = ClientSession.ID(rawValue: session)
            return QueueOwner(contract: contract, baseURL: baseURL, person: .session(id))
        default: return nil
        }
    }
}

extension JSON {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text) = self[name] { text } else { nil }
    }
}
