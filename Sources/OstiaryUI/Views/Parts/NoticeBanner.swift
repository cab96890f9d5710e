#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The notices that concern the whole app: the device cannot store the session, or the end of the former session. Each
/// disappears when it is dismissed or no longer applies.
///
/// ``AuthView`` shows it above everything else.
public struct NoticeBanner: View {
    private let model: AuthViewModel

    /// Creates the banner for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The notices with their dismiss buttons; empty without a notice.
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
        case .memoryOnly, .enrolmentChanged, .notEnrolled: "exclamationmark.triangle"
        case .revocationPending: "wifi.slash"
        case .deviceLinkSent: "envelope.badge"
        case .accountDeleted, .deviceRecognized, .passwordChanged, .profileSaved, .factorAdded, .factorRenamed,
            .factorRemoved:
            "checkmark.circle"
        }
    }
}
#endif
