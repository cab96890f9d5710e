#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// What a person should know wherever they are in the app: that the device cannot keep their sign-in, or what has become of the
/// session that was. Each goes away when it is tapped away, or is no longer so.
///
/// ``AuthView`` shows it above everything else.
public struct NoticeBanner: View {
    private let model: AuthViewModel

    public init(_ model: AuthViewModel) { self.model = model }

    public var body: some View {
        let notices = model.notices.filter { !$0.isOfAccount }
        if !notices.isEmpty {
            VStack(spacing: 0) {
                ForEach(notices, id: \.self) { notice in
                    HStack(alignment: .firstTextBaseline, spacing: 12) {
                        NoticeText(text: model.texts.text(of: notice), symbol: notice.symbol)
                        Spacer()
                        Button {
                            model.dismiss(notice)
                        } label: {
                            Image(systemName: "xmark")
                        }
                        .buttonStyle(.borderless)
                        .accessibilityLabel(model.texts(.dismissNotice))
                        .accessibilityIdentifier("dismiss.\(notice.rawValue)")
                    }
                    .padding(12)
                    .accessibilityElement(children: .contain)
                    .accessibilityIdentifier(notice.rawValue)
                }
            }
            .frame(maxWidth: .infinity)
            .background(.regularMaterial)
        }
    }
}

extension AuthNotice {
    fileprivate var symbol: String {
        switch self {
        case .memoryOnly, .enrolmentChanged, .nobodyEnrolled: "exclamationmark.triangle"
        case .signOutUntold: "wifi.slash"
        case .accountDeleted, .passwordChanged, .profileSaved: "checkmark.circle"
        }
    }
}
#endif
