import Mustache

/// A view as the template reads it. The library reflects any other value again for each name of the template, which takes
/// most of the time of a page.
struct TemplateValue: MustacheParent {
    private let members: [String: Any]

    /// Reads the members of a view and of everything in it, once. Absent members are left out.
    init(_ view: Any) { self.init(Mirror(reflecting: view)) }

    private init(_ mirror: Mirror) {
        var members: [String: Any] = [:]
        for (name, value) in mirror.children {
            if let name, let value = Self.converted(value) { members[name] = value }
        }
        self.members = members
    }

    func child(named name: String) -> Any? { members[name] }

    private static func converted(_ value: Any) -> Any? {
        if let text = value as? String { return text }
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { converted($0.value) }
        case .collection: mirror.children.compactMap { converted($0.value) }
        case .struct where !mirror.children.isEmpty: TemplateValue(mirror)
        default: value
        }
    }
}
