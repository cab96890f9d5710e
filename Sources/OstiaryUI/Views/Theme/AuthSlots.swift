#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The app's own views on the screens of a sign-in; `nil` for each view that the app does not provide.
struct AuthSlots {
    var header: AnyView?
    var footer: AnyView?
    var terms: AnyView?

    init() {}

    /// Creates slots from views; an `EmptyView` counts as none.
    @MainActor
    init(header: some View, footer: some View, terms: some View) {
        self.header = Self.slot(header)
        self.footer = Self.slot(footer)
        self.terms = Self.slot(terms)
    }

    @MainActor
    private static func slot(_ view: some View) -> AnyView? { view is EmptyView ? nil : AnyView(view) }

    /// Returns these slots, with the views of `other` where this has none.
    func over(_ other: AuthSlots) -> AuthSlots {
        var slots = self
        slots.header = header ?? other.header
        slots.footer = footer ?? other.footer
        slots.terms = terms ?? other.terms
        return slots
    }
}

private struct AuthSlotsKey: EnvironmentKey {
    static var defaultValue: AuthSlots { AuthSlots() }
}

extension EnvironmentValues {
    var authSlots: AuthSlots {
        get { self[AuthSlotsKey.self] }
        set { self[AuthSlotsKey.self] = newValue }
    }
}

/// The app's terms, shown where an account is created.
struct TermsSection: View {
    @Environment(\.authSlots) private var slots

    var body: some View {
        if let terms = slots.terms { Section { terms.font(.footnote).clearRow() } }
    }
}
#endif
