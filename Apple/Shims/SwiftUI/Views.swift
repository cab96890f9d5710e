// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
    let text: String
    public init(_ value: String) { text = value }
    public init(stringLiteral value: String) { text = value }
}

public struct Text: ShimPrimitive {
    let text: String
    public init(_ key: LocalizedStringKey) { text = key.text }
    public init(verbatim content: String) { text = content }
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { text = String(content) }
    public func nodes(_ c: ShimContext) -> [ShimNode] { [ShimNode("Text", text)] }
}
public struct Image: ShimPrimitive {
    let name: String
    public init(systemName: String) { name = systemName }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let n = ShimNode("Image"); n.attributes["systemName"] = name; return [n]
    }
}
public struct Label<Title: View, Icon: View>: View {
    let title: Title, icon: Icon
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title(); self.icon = icon()
    }
    public var body: some View { icon; title }
}
extension Label where Title == Text, Icon == Image {
    public init(_ key: LocalizedStringKey, systemImage name: String) {
        title = Text(key); icon = Image(systemName: name)
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ text: S, systemImage name: String) {
        title = Text(text); icon = Image(systemName: name)
    }
}
public struct Spacer: ShimPrimitive {
    public init(minLength: CGFloat? = nil) {}; public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
public struct Divider: ShimPrimitive { public init() {}; public func nodes(_ c: ShimContext) -> [ShimNode] { [] } }

// MARK: containers
public struct Group<Content> { let content: Content }
extension Group: View, ShimPrimitive where Content: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { content.shimRender(c.at("Group")) }
}
@MainActor private func box(_ kind: String, _ content: some View, _ c: ShimContext) -> [ShimNode] {
    [ShimNode(kind, content.shimRender(c.at(kind)))]
}
extension ShimNode { convenience init(_ kind: String, _ children: [ShimNode]) { self.init(kind, "", children) } }

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom, firstTextBaseline }
public enum Alignment: Sendable { case center, leading, trailing, top, bottom }
public struct VStack<Content: View>: ShimPrimitive {
    let content: Content
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("VStack", content, c) }
}
public struct HStack<Content: View>: ShimPrimitive {
    let content: Content
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("HStack", content, c) }
}
public struct ZStack<Content: View>: ShimPrimitive {
    let content: Content
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("ZStack", content, c) }
}
public struct Form<Content: View>: ShimPrimitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("Form", content, c) }
}
public struct ScrollView<Content: View>: ShimPrimitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("ScrollView", content, c) }
}
public struct List<SelectionValue, Content: View>: ShimPrimitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Never { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("List", content, c) }
}
public struct Section<Parent: View, Content: View, Footer: View>: ShimPrimitive {
    let header: Parent, content: Content, footer: Footer
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.content = content(); self.header = header(); self.footer = footer()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        [
            ShimNode(
                "Section", header.shimText(c.at("header")),
                content.shimRender(c.at("Section")) + footer.shimRender(c.at("footer")))
        ]
    }
}
extension Section where Parent == EmptyView, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(content: content, header: { EmptyView() }, footer: { EmptyView() })
    }
}
extension Section where Parent == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(content: content, header: { EmptyView() }, footer: footer)
    }
}
extension Section where Parent == Text, Footer == EmptyView {
    public init(_ key: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content, header: { Text(key) }, footer: { EmptyView() })
    }
}
extension Section where Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(content: content, header: header, footer: { EmptyView() })
    }
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    let data: Data; let id: (Data.Element) -> ID; let content: (Data.Element) -> Content
}
extension ForEach: View, ShimPrimitive where Content: View {
    public typealias Body = Never
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        self.data = data; self.id = { $0[keyPath: id] }; self.content = content
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { data.flatMap { content($0).shimRender(c.at("\(id($0))")) } }
}
extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data; self.id = { $0.id }; self.content = content
    }
}

// MARK: controls
public struct ButtonRole: Equatable, Sendable {
    let name: String; public static let destructive = Self(name: "destructive"), cancel = Self(name: "cancel")
}
public struct Button<Label: View>: ShimPrimitive {
    let role: ButtonRole?, action: @MainActor () -> Void, label: Label
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        role = nil; self.action = action; self.label = label()
    }
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role; self.action = action; self.label = label()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let children = label.shimRender(c.at("Button"))
        let node = ShimNode(
            "Button", children.map(\.text).joined(separator: " "), enabled: c.env.isEnabled,
            children.flatMap(\.all).filter { !["Text", "HStack", "VStack"].contains($0.kind) })
        if let role { node.attributes["role"] = role.name }
        node.press = action
        return [node]
    }
}
extension Button where Label == Text {
    public init(_ key: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(key) }
    }
    public init(_ key: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(key) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { self.init(role: role, action: action) { Text(title) } }
}
@MainActor private func field(_ kind: String, _ label: some View, _ text: Binding<String>, _ c: ShimContext)
    -> [ShimNode]
{
    let node = ShimNode(kind, label.shimText(c.at("label")), enabled: c.env.isEnabled)
    node.value = text.wrappedValue
    node.set = { text.wrappedValue = $0 }
    node.submit = c.submit
    return [node]
}
public struct TextField<Label: View>: ShimPrimitive {
    let text: Binding<String>, label: Label
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text; self.label = label()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { field("TextField", label, text, c) }
}
extension TextField where Label == Text {
    public init(_ key: LocalizedStringKey, text: Binding<String>) { self.init(text: text) { Text(key) } }
    public init(_ key: LocalizedStringKey, text: Binding<String>, prompt: Text?) { self.init(text: text) { Text(key) } }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text) { Text(title) }
    }
}
public struct SecureField<Label: View>: ShimPrimitive {
    let text: Binding<String>, label: Label
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text; self.label = label()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { field("SecureField", label, text, c) }
}
extension SecureField where Label == Text {
    public init(_ key: LocalizedStringKey, text: Binding<String>) { self.init(text: text) { Text(key) } }
    public init(_ key: LocalizedStringKey, text: Binding<String>, prompt: Text?) { self.init(text: text) { Text(key) } }
}
public struct Toggle<Label: View>: ShimPrimitive {
    let isOn: Binding<Bool>, label: Label
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { self.isOn = isOn; self.label = label() }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("Toggle", label.shimText(c.at("label")), enabled: c.env.isEnabled)
        node.value = "\(isOn.wrappedValue)"
        node.press = { isOn.wrappedValue.toggle() }
        return [node]
    }
}
extension Toggle where Label == Text {
    public init(_ key: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(key) } }
}
public struct ProgressView<Label: View, CurrentValueLabel: View>: ShimPrimitive {
    let label: Label?
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        [ShimNode("ProgressView", label?.shimText(c.at("label")) ?? "")]
    }
}
extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView { label = nil }
    public init(_ key: LocalizedStringKey) where Label == Text { label = Text(key) }
    public init(@ViewBuilder label: () -> Label) { self.label = label() }
}
public struct Link<Label: View>: ShimPrimitive {
    let url: URL, label: Label
    public init(destination: URL, @ViewBuilder label: () -> Label) { url = destination; self.label = label() }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("Link", label.shimText(c.at("label")), enabled: c.env.isEnabled)
        node.attributes["href"] = url.absoluteString
        node.press = { c.env.openURL(url) }
        return [node]
    }
}
extension Link where Label == Text {
    public init(_ key: LocalizedStringKey, destination: URL) { self.init(destination: destination) { Text(key) } }
}

// MARK: navigation
public struct NavigationStack<Data, Root: View>: ShimPrimitive {
    let root: Root
    public init(@ViewBuilder root: () -> Root) where Data == Never { self.root = root() }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        var c = c.at("NavigationStack")
        let navigation = c.host.cell(c.path + "#nav", ShimCell(ShimNavigation())).value
        c.navigation = navigation
        let rootNodes = root.shimRender(c.at("root"))
        guard let top = navigation.stack.last else { return [ShimNode("NavigationStack", rootNodes)] }
        let host = c.host
        c.env.dismiss = DismissAction {
            _ = navigation.stack.popLast(); host.invalidate()
        }
        let dismiss = c.env.dismiss
        let back = ShimNode("Button", "Back"); back.press = { dismiss() }
        return [ShimNode("NavigationStack", [back] + top().shimRender(c.at("\(navigation.stack.count)")))]
    }
}
public struct NavigationLink<Label: View, Destination: View>: ShimPrimitive {
    let label: Label, push: (ShimNavigation) -> (() -> any View)?
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode(
            "NavigationLink", label.shimText(c.at("label")), enabled: c.env.isEnabled && c.navigation != nil)
        node.press = {
            if let navigation = c.navigation, let view = push(navigation) {
                navigation.stack.append(view); c.host.invalidate()
            }
        }
        return [node]
    }
    public init(@ViewBuilder destination: @escaping () -> Destination, @ViewBuilder label: () -> Label) {
        self.label = label(); push = { _ in { destination() } }
    }
}
extension NavigationLink where Label == Text {
    public init(_ key: LocalizedStringKey, @ViewBuilder destination: @escaping () -> Destination) {
        self.init(destination: destination) { Text(key) }
    }
}
extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
        self.label = label()
        push = { navigation in
            value.flatMap { value in navigation.builders[ObjectIdentifier(P.self)].map { build in { build(value) } } }
        }
    }
    public init<P: Hashable>(_ key: LocalizedStringKey, value: P?) where Label == Text {
        self.init(value: value) { Text(key) }
    }
}
