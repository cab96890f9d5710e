// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
@_exported import Foundation
@_exported import Observation
#if canImport(UIKit)
import UIKit
public typealias ShimTextContentType = UITextContentType
#else
import AppKit
public typealias ShimTextContentType = NSTextContentType
#endif

// MARK: View and its builder

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }

/// A view the shim draws itself.
@MainActor @preconcurrency public protocol ShimPrimitive: View where Body == Never {
    func nodes(_ c: ShimContext) -> [ShimNode]
}
extension ShimPrimitive { public var body: Never { fatalError("\(Self.self) has no body") } }

@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    @MainActor public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    @MainActor public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        var list: [any View] = []
        repeat list.append(each content)
        return TupleView(list)
    }
    @MainActor public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    @MainActor public static func buildEither<T: View, F: View>(first: T) -> _ConditionalContent<T, F> {
        .init(either: .first(first))
    }
    @MainActor public static func buildEither<T: View, F: View>(second: F) -> _ConditionalContent<T, F> {
        .init(either: .second(second))
    }
    @MainActor public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
}

public struct EmptyView: ShimPrimitive { public init() {}; public func nodes(_ c: ShimContext) -> [ShimNode] { [] } }
public struct TupleView<T>: ShimPrimitive {
    let list: [any View]
    init(_ list: [any View]) { self.list = list }
    public func nodes(_ c: ShimContext) -> [ShimNode] { list.enumerated().flatMap { $1.shimRender(c.at("\($0)")) } }
}
public struct _ConditionalContent<T: View, F: View>: ShimPrimitive {
    enum Either { case first(T), second(F) }
    let either: Either
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        switch either {
        case .first(let v): v.shimRender(c.at("if"));
        case .second(let v): v.shimRender(c.at("else"))
        }
    }
}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }
extension Optional: ShimPrimitive where Wrapped: View {
    public func nodes(_ c: ShimContext) -> [ShimNode] { map { $0.shimRender(c.at("some")) } ?? [] }
}
public struct AnyView: ShimPrimitive {
    let view: any View
    public init(_ view: some View) { self.view = view }
    public func nodes(_ c: ShimContext) -> [ShimNode] { view.shimRender(c.at("\(type(of: view))")) }
}

// MARK: the rendered tree

@MainActor public final class ShimNode {
    public let kind: String
    public var label: String
    public var value: String?
    public var attributes: [String: String] = [:]
    /// The attributes of its appearance, for pictures alone.
    public var looks: [String: String] = [:]
    public var children: [ShimNode]
    public var enabled: Bool
    /// The value that a picker matches with its selection.
    var tag: AnyHashable?
    public var options: [String] = []
    var choose: ((String) -> Void)?
    var set: ((String) -> Void)?
    var press: (() -> Void)?
    var submit: (() -> Void)?
    init(_ kind: String, _ label: String = "", enabled: Bool = true, _ children: [ShimNode] = []) {
        self.kind = kind; self.label = label; self.enabled = enabled; self.children = children
    }
    /// The text that VoiceOver reads.
    public var text: String {
        if attributes["hidden"] != nil { return "" }
        return ([label] + children.map(\.text)).filter { !$0.isEmpty }.joined(separator: " ")
    }
    public var all: [ShimNode] { [self] + children.flatMap(\.all) }
}

@MainActor public struct ShimContext {
    let host: ShimHost
    var path: String
    var env: EnvironmentValues
    var submit: (() -> Void)?
    var navigation: ShimNavigation?
    func at(_ part: String) -> ShimContext { var c = self; c.path += "/" + part; return c }
}
@MainActor final class ShimNavigation {
    var stack: [() -> any View] = []; var builders: [ObjectIdentifier: (Any) -> any View] = [:]
    /// The action of a link if the app owns the navigation path.
    var push: ((Any) -> Void)?
}

extension View {
    func shimRender(_ c: ShimContext) -> [ShimNode] {
        if let primitive = self as? any ShimPrimitive { return primitive.nodes(c) }
        let c = c.at("\(Self.self)")
        for child in Mirror(reflecting: self).children {
            (child.value as? any ShimInstallable)?.install(c, child.label ?? "")
        }
        return body.shimRender(c)
    }
    func shimText(_ c: ShimContext) -> String {
        shimRender(c).map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

// MARK: state

public protocol DynamicProperty {}
@MainActor protocol ShimInstallable { func install(_ c: ShimContext, _ name: String) }

// Sendable by use: cells, slots and boxes are read and written while a host renders or a test acts, on the main actor
// alone.
final class ShimCell<Value>: @unchecked Sendable {
    var value: Value { didSet { changed() } }
    var changed: () -> Void = {}
    init(_ value: Value) { self.value = value }
}
final class ShimSlot<Value>: @unchecked Sendable {
    var cell: ShimCell<Value>; init(_ value: Value) { cell = ShimCell(value) }
}

@propertyWrapper public struct State<Value>: DynamicProperty {
    let slot: ShimSlot<Value>
    public init(wrappedValue: Value) { slot = ShimSlot(wrappedValue) }
    public init(initialValue: Value) { slot = ShimSlot(initialValue) }
    public var wrappedValue: Value {
        get { slot.cell.value }
        nonmutating set { slot.cell.value = newValue }
    }
    public var projectedValue: Binding<Value> { Binding(cell: slot) }
}
extension State where Value: ExpressibleByNilLiteral { public init() { self.init(wrappedValue: nil) } }
extension State: Sendable where Value: Sendable {}
extension State: ShimInstallable {
    func install(_ c: ShimContext, _ name: String) { slot.cell = c.host.cell(c.path + "." + name, slot.cell) }
}

@dynamicMemberLookup @propertyWrapper public struct Binding<Value>: DynamicProperty {
    let get: () -> Value
    let set: (Value) -> Void
    init(cell slot: ShimSlot<Value>) { get = { slot.cell.value }; set = { slot.cell.value = $0 } }
    init(unsafeGet get: @escaping () -> Value, set: @escaping (Value) -> Void) { self.get = get; self.set = set }
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = { unsafeOnMain(get) }
        self.set = { value in
            // A binding is set on the main actor alone, so that the value goes nowhere.
            nonisolated(unsafe) let value = value; unsafeOnMain { set(value) }
        }
    }
    public static func constant(_ value: Value) -> Binding<Value> { Binding(unsafeGet: { value }, set: { _ in }) }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
    public init(projectedValue: Binding<Value>) { self = projectedValue }
    public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            unsafeGet: { get()[keyPath: path] },
            set: {
                var v = get(); v[keyPath: path] = $0; set(v)
            })
    }
}
// Its closures reach cells, which are the main actor's.
extension Binding: @unchecked Sendable where Value: Sendable {}

private func unsafeOnMain<T>(_ body: @MainActor () -> T) -> T {
    withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> T).self)() }
}

@dynamicMemberLookup @propertyWrapper public struct Bindable<Value> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public init(wrappedValue: Value) where Value: AnyObject & Observable { self.wrappedValue = wrappedValue }
    public init(_ wrappedValue: Value) where Value: AnyObject & Observable { self.wrappedValue = wrappedValue }
    public subscript<Subject>(dynamicMember path: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject>
    where Value: AnyObject {
        let object = wrappedValue
        return Binding<Subject>(unsafeGet: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
    }
}

@propertyWrapper public struct FocusState<Value: Hashable>: DynamicProperty, ShimInstallable {
    @propertyWrapper public struct Binding {
        let slot: ShimSlot<Value>
        public var wrappedValue: Value {
            get { slot.cell.value }
            nonmutating set { slot.cell.value = newValue }
        }
        public var projectedValue: Binding { self }
    }
    let slot: ShimSlot<Value>
    public init() where Value == Bool { slot = ShimSlot(false) }
    public init<T>() where Value == T?, T: Hashable { slot = ShimSlot(nil) }
    public var wrappedValue: Value {
        get { slot.cell.value }
        nonmutating set { slot.cell.value = newValue }
    }
    public var projectedValue: Binding { Binding(slot: slot) }
    func install(_ c: ShimContext, _ name: String) { slot.cell = c.host.cell(c.path + "." + name, slot.cell) }
}

// MARK: environment

public protocol EnvironmentKey { associatedtype Value; static var defaultValue: Value { get } }
// A value that a host makes and hands down while it renders, on the main actor alone.
public struct EnvironmentValues: @unchecked Sendable {
    private var values: [ObjectIdentifier: Any] = [:]
    var objects: [ObjectIdentifier: AnyObject] = [:]
    public init() {}
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
    public var isEnabled = true
    public var openURL = OpenURLAction { _ in .systemAction }
    public var dismiss = DismissAction {}
    public var scenePhase = ScenePhase.background
    public var colorScheme = ColorScheme.light
    public var layoutDirection = LayoutDirection.leftToRight
    public var dynamicTypeSize = DynamicTypeSize.large
    public var locale = Locale(identifier: "en_US")
}
public enum ColorScheme: Hashable, CaseIterable, Sendable { case light, dark }
public enum LayoutDirection: Hashable, CaseIterable, Sendable { case leftToRight, rightToLeft }
public enum DynamicTypeSize: Int, Hashable, CaseIterable, Comparable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
/// A length that grows with the text size, roughly as the system's does.
@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty, ShimInstallable {
    final class Box: @unchecked Sendable { var factor = 1.0 }
    let box = Box()
    let base: Value
    public init(wrappedValue: Value) { base = wrappedValue }
    public init(wrappedValue: Value, relativeTo style: Font.TextStyle) { base = wrappedValue }
    public var wrappedValue: Value { base * Value(box.factor) }
    func install(_ c: ShimContext, _ name: String) {
        box.factor = 1 + 0.15 * Double(c.env.dynamicTypeSize.rawValue - DynamicTypeSize.large.rawValue)
    }
}
public enum ScenePhase: Sendable { case background, inactive, active }
@MainActor @preconcurrency public struct DismissAction: Sendable {
    let action: @MainActor @Sendable () -> Void
    nonisolated init(_ action: @escaping @MainActor @Sendable () -> Void) { self.action = action }
    public func callAsFunction() { action() }
}
@MainActor @preconcurrency public struct OpenURLAction: Sendable {
    public enum Result: Sendable { case handled, discarded, systemAction }
    let handler: @MainActor @Sendable (URL) -> Result
    public nonisolated init(handler: @escaping @MainActor @Sendable (URL) -> Result) { self.handler = handler }
    public func callAsFunction(_ url: URL) { _ = handler(url) }
    public func callAsFunction(_ url: URL, completion: @escaping (Bool) -> Void) {
        completion(handler(url) != .discarded)
    }
}

@propertyWrapper public struct Environment<Value>: DynamicProperty, ShimInstallable {
    final class Box: @unchecked Sendable { var values: EnvironmentValues? }
    let box = Box()
    let read: (EnvironmentValues) -> Value
    public init(_ path: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: path] } }
    public init(_ type: Value.Type) where Value: AnyObject & Observable {
        read = {
            guard let object = $0.objects[ObjectIdentifier(type)] as? Value else {
                fatalError(
                    "No Observable object of type \(type) found. A View.environment(_:) for it may be missing as an ancestor of this view."
                )
            }
            return object
        }
    }
    public init<T: AnyObject & Observable>(_ type: T.Type) where Value == T? {
        read = { $0.objects[ObjectIdentifier(type)] as? T }
    }
    public var wrappedValue: Value { read(box.values ?? EnvironmentValues()) }
    func install(_ c: ShimContext, _ name: String) { box.values = c.env }
}

// MARK: App

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene; @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
@resultBuilder public struct SceneBuilder { public static func buildBlock<S: Scene>(_ scene: S) -> S { scene } }
public struct WindowGroup<Content: View>: Scene {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Never { fatalError() }
}
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene; @SceneBuilder @MainActor @preconcurrency var body: Body { get }; init()
}
extension App { public static func main() { _ = Self().body } }
