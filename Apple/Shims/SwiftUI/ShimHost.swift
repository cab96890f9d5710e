// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import Accessibility
import Synchronization

/// A host that keeps a view on screen for a test: renders it, stores its state, runs its tasks, and simulates the user.
@MainActor public final class ShimHost {
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    private let root: @MainActor (ShimContext) -> [ShimNode]
    private var cells: [String: AnyObject] = [:]
    private var previous: [String: Any] = [:]
    private var live: [String: () -> Void] = [:]  // what to do when the thing at this path goes away
    private var seen: Set<String> = []
    private var pending: [() -> Void] = []
    private var tree: [ShimNode] = []
    private let dirty = ShimFlag()
    var openers: [(URL) -> Void] = []
    var refreshers: [@Sendable () async -> Void] = []
    public private(set) var renders = 0
    public private(set) var openedURLs: [URL] = []
    /// `false` for a device without an app that opens a URL.
    public var opensURLs = true
    public private(set) var dismissed = false

    /// The environment of the last rendering.
    private(set) var environment = EnvironmentValues()
    private let look: (inout EnvironmentValues) -> Void

    /// - Parameter look: Sets the system's environment: text size, dark mode, layout direction.
    public init<V: View>(_ view: V, _ look: @escaping (inout EnvironmentValues) -> Void = { _ in }) {
        root = { view.shimRender($0) }
        self.look = look
        _ = nodes
    }

    // MARK: looking
    /// The screen now. Renders again only when a @State cell or an observed property changed, as SwiftUI does.
    public var nodes: [ShimNode] {
        var rounds = 0
        while dirty.take() {
            rounds += 1
            precondition(rounds < 50, "the view changes its own state on every update")
            render()
        }
        return tree
    }
    public var all: [ShimNode] { nodes.flatMap(\.all) }
    public func has(_ kind: String, _ label: String? = nil) -> Bool {
        all.contains { $0.kind == kind && (label == nil || $0.label == label) }
    }
    public func find(_ kinds: [String], _ label: String) throws -> ShimNode {
        let found = all.filter {
            kinds.contains($0.kind) && ($0.label == label || $0.attributes["id"] == label)
                && $0.attributes["hidden"] == nil
        }
        guard let first = found.first else {
            throw Failure(description: "no \(kinds.joined(separator: "/")) \"\(label)\" in\n\(snapshot())")
        }
        guard found.count == 1 else {
            throw Failure(
                description: "\(found.count) of \(kinds.joined(separator: "/")) \"\(label)\" in\n\(snapshot())")
        }
        return first
    }

    // MARK: acting
    public func type(_ text: String, into label: String) throws {
        let node = try find(["TextField", "SecureField"], label)
        guard node.enabled else { throw Failure(description: "\"\(label)\" is disabled") }
        node.set?(text)
    }
    public func tap(_ label: String) throws {
        let node = try find(["Button", "NavigationLink", "Toggle", "Link"], label)
        guard node.enabled else { throw Failure(description: "\"\(label)\" is disabled") }
        node.press?()
    }
    public func submit(_ label: String) throws { try find(["TextField", "SecureField"], label).submit?() }
    public func open(_ url: URL) { _ = nodes; for opener in openers { opener(url) } }
    public func wait(_ what: String = "", seconds: Double = 30, until condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            guard ContinuousClock.now < end else {
                throw Failure(description: "waited \(seconds) s for \(what); screen:\n\(snapshot())")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
    /// The announcements to VoiceOver outside the order of the screen.
    public private(set) var announcements: [String] = []
    private func listening(_ body: () -> Void) {
        let old = AccessibilityNotification.shimListener
        defer { AccessibilityNotification.shimListener = old }
        AccessibilityNotification.shimListener = { [weak self] text in
            MainActor.assumeIsolated { self?.announcements.append(text) }
        }
        body()
    }
    /// Takes the view off screen: cancels its tasks.
    public func remove() { for end in live.values { end() }; live = [:] }

    // MARK: showing
    public func snapshot() -> String {
        func lines(_ node: ShimNode, _ depth: Int) -> [String] {
            var line = String(repeating: "  ", count: depth) + node.kind
            if !node.label.isEmpty { line += " \"\(node.label)\"" }
            if let value = node.value {
                line += " = \"\(node.kind == "SecureField" ? String(repeating: "•", count: value.count) : value)\""
            }
            if !node.enabled { line += " (disabled)" }
            for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) { line += " \(name)=\(value)" }
            return [line] + node.children.flatMap { lines($0, depth + 1) }
        }
        return nodes.flatMap { lines($0, 0) }.joined(separator: "\n")
    }
    // MARK: what views call while they render
    func invalidate() { dirty.set() }
    func cell<V>(_ path: String, _ fresh: ShimCell<V>) -> ShimCell<V> {
        seen.insert(path)
        if let old = cells[path] as? ShimCell<V> { return old }
        fresh.changed = { [dirty] in dirty.set() }
        cells[path] = fresh
        return fresh
    }
    func appear(_ path: String, _ arrive: @escaping () -> Void, gone: @escaping () -> Void = {}) {
        seen.insert(path)
        if live[path] == nil { live[path] = gone; pending.append(arrive) }
    }
    func task(_ path: String, _ priority: TaskPriority, _ action: @escaping @Sendable () async -> Void) {
        seen.insert(path)
        guard live[path] == nil else { return }
        live[path] = {}
        pending.append { [weak self] in
            let task = Task(priority: priority) { await action() }
            self?.live[path] = { task.cancel() }
        }
    }
    func change<V: Equatable>(_ path: String, _ value: V, _ initial: Bool, _ action: @escaping (V, V) -> Void) {
        seen.insert(path)
        let old = previous.updateValue(value, forKey: path) as? V
        if let old, old != value {
            pending.append { action(old, value) }
        } else if old == nil, initial {
            pending.append { action(value, value) }
        }
    }

    private func render() {
        renders += 1
        openers = []
        refreshers = []
        seen = []
        var env = EnvironmentValues()
        env.openURL = OpenURLAction { [weak self] in
            self?.openedURLs.append($0); return self?.opensURLs == true ? .handled : .discarded
        }
        env.dismiss = DismissAction { [weak self] in self?.dismissed = true }
        // As in an app with SwiftUI's life cycle; other apps do not update it.
        env.scenePhase = .active
        look(&env)
        environment = env
        let context = ShimContext(host: self, path: "", env: env)
        tree = withObservationTracking {
            root(context)
        } onChange: { [dirty] in
            dirty.set()
        }
        for (path, end) in live where !seen.contains(path) { live[path] = nil; end() }
        for path in cells.keys where !seen.contains(path) { cells[path] = nil }
        for path in previous.keys where !seen.contains(path) { previous[path] = nil }
        let work = pending
        pending = []
        listening { for item in work { item() } }
    }
}

final class ShimFlag: Sendable {
    private let value = Atomic<Bool>(true)
    func set() { value.store(true, ordering: .sequentiallyConsistent) }
    func take() -> Bool { value.exchange(false, ordering: .sequentiallyConsistent) }
}
