import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryServerPaths

/// A page of the console, by its path.
enum ConsolePath: Hashable {
    case overview, people, audit, messages, events, roles, serviceKeys, signingKeys, configuration, health
    case person(PersonReference)
    case personAction(PersonReference, PersonAction)
    case newPerson
    case task(ConsoleTask)
    case signIn, callback, signOut

    static let base = "/admin"

    /// An account by the texts of its path, which need not exist.
    struct PersonReference: Hashable {
        var app: String
        var id: String

        init(app: String, id: String) {
            self.app = app
            self.id = id
        }

        init(_ account: Account) {
            app = account.app.text
            id = account.id.text
        }
    }

    /// - Parameter path: The path of the request, below or equal to ``base``.
    init?(_ path: String) {
        guard let rest = ServerPath.remainder(of: path, below: Self.base)?.utf8 else { return nil }
        let parts = rest.split(separator: UInt8(ascii: "/"), maxSplits: 5, omittingEmptySubsequences: false).dropFirst()
        var names: [String] = []
        for part in parts {
            guard let name = PercentEncoding.decode(Substring(part)), name.utf8.count <= 256 else { return nil }
            names.append(name)
        }
        if names.last?.isEmpty == true { names.removeLast() }
        switch names.count {
        case 0: self = .overview
        case 1: guard let page = Self.simple[names[0]] else { return nil }; self = page
        case 2:
            if names[0] == "people", names[1] == "new" {
                self = .newPerson
            } else if let task = ConsoleTask(section: names[0], name: names[1]) {
                self = .task(task)
            } else {
                return nil
            }
        case 3 where names[0] == "people": self = .person(PersonReference(app: names[1], id: names[2]))
        case 4 where names[0] == "people":
            guard let action = PersonAction(rawValue: names[3]) else { return nil }
            self = .personAction(PersonReference(app: names[1], id: names[2]), action)
        default: return nil
        }
    }

    private static let simple: [String: ConsolePath] = [
        "people": .people, "audit": .audit, "messages": .messages, "events": .events, "roles": .roles,
        "service-keys": .serviceKeys, "signing-keys": .signingKeys, "configuration": .configuration, "health": .health,
        "sign-in": .signIn, "callback": .callback, "sign-out": .signOut,
    ]

    /// The path as browsers see it.
    var path: String {
        switch self {
        case .overview: Self.base
        case .person(let person): "\(Self.base)/people/\(Self.encoded(person))"
        case .personAction(let person, let action): "\(Self.base)/people/\(Self.encoded(person))/\(action.rawValue)"
        case .newPerson: "\(Self.base)/people/new"
        case .task(let task): "\(Self.base)/\(task.section)/\(task.name)"
        default: "\(Self.base)/\(Self.simple.first { $0.value == self }?.key ?? "")"
        }
    }

    private static func encoded(_ person: PersonReference) -> String {
        "\(PercentEncoding.encode(person.app))/\(PercentEncoding.encode(person.id))"
    }

    /// Returns the path with a query; parameters without a value are left out.
    func url(_ parameters: [(name: String, value: String?)]) -> String {
        let given = parameters.compactMap { name, value in value.map { (name: name, value: $0) } }
            .filter { !$0.value.isEmpty }
        return given.isEmpty ? path : "\(path)?\(URLQuery.encode(given))"
    }

    /// The label of the page in logs and metrics: without ids.
    var label: String {
        switch self {
        case .person: "console person"
        case .personAction(_, let action): "console person \(action.rawValue)"
        case .overview: "console overview"
        default: "console \(path.dropFirst(Self.base.count + 1))"
        }
    }

    /// The page of the navigation that this page belongs to.
    var section: ConsolePath {
        switch self {
        case .person, .personAction, .newPerson: .people
        case .task(let task): Self.simple[task.section] ?? .overview
        default: self
        }
    }
}
