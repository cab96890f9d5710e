// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
extension View {
    // presentation, with titles that are texts already
    @_disfavoredOverload public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View {
        alert(LocalizedStringKey(String(title)), isPresented: isPresented, actions: actions, message: message)
    }
    @_disfavoredOverload public func alert<S: StringProtocol, A: View, M: View, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View {
        alert(
            LocalizedStringKey(String(title)), isPresented: isPresented, presenting: data, actions: actions,
            message: message)
    }

    /// Pulled down by ``ShimHost/refresh()``.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        ShimModified(content: self, up: { _, c in c.host.refreshers.append(action) })
    }
    public func safeAreaInset<V: View>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View {
        let inset = content()
        return ShimModified(
            content: self,
            up: { nodes, c in
                let more = inset.shimRender(c.at("inset"))
                nodes = edge == .top ? more + nodes : nodes + more
            })
    }
    public func opacity(_ opacity: Double) -> some View {
        ShimModified(
            content: self,
            up: { nodes, _ in for node in nodes where opacity == 0 { node.attributes["invisible"] = "true" } })
    }
}

public enum VerticalEdge: Sendable { case top, bottom }

public struct Material: ShapeStyle { public let shimName: String }
extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { Material(shimName: "material") }
}
public struct TintShapeStyle: ShapeStyle { public let shimName = "tint" }
extension ShapeStyle where Self == TintShapeStyle { public static var tint: TintShapeStyle { TintShapeStyle() } }

private struct ShimTimeZoneKey: EnvironmentKey { static let defaultValue = TimeZone(secondsFromGMT: 0)! }
extension EnvironmentValues {
    public var timeZone: TimeZone {
        get { self[ShimTimeZoneKey.self] }
        set { self[ShimTimeZoneKey.self] = newValue }
    }
}

extension ShimHost {
    /// Pulls the list down.
    public func refresh() async {
        _ = nodes
        for refresher in refreshers { await refresher() }
    }
}

/// A view with a custom modifier, which has its own @State and @Environment.
struct ShimWithModifier<Content: View, Modifier: ViewModifier>: ShimPrimitive {
    let content: Content, modifier: Modifier
    func nodes(_ c: ShimContext) -> [ShimNode] {
        let c = c.at("\(Modifier.self)")
        for child in Mirror(reflecting: modifier).children {
            (child.value as? any ShimInstallable)?.install(c, child.label ?? "")
        }
        return modifier.body(content: AnyView(content)).shimRender(c)
    }
}
