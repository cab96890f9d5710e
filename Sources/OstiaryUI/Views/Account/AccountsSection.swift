#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import SwiftUI

/// The accounts that are signed in on this device, if there are several. A tap switches to an account.
struct AccountsSection: View {
    let model: AuthViewModel

    var body: some View {
        if model.accounts.count > 1 {
            Section {
                ForEach(model.accounts) { account in row(account) }
            } header: {
                Text(model.texts(.accounts))
            }
        }
    }

    private func row(_ account: SessionSnapshot) -> some View {
        let isCurrent = account.id == current
        return Button {
            model.switchAccount(to: account.id)
        } label: {
            HStack {
                Text(account.label)
                Spacer()
                if model.isBusy(.switchAccount(account.id)) {
                    ProgressView().accessibilityHidden(true)
                } else if isCurrent {
                    Image(systemName: "checkmark").accessibilityHidden(true)
                }
            }
        }
        .disabled(isCurrent)
        .accessibilityAddTraits(isCurrent ? .isSelected : [])
        .accessibilityHint(isCurrent ? "" : model.texts(.switchAccountHint))
        .accessibilityIdentifier("account.\(place(account))")
    }

    /// Returns the position of an account, its identifier in UI tests: an address must not appear in their logs.
    private func place(_ account: SessionSnapshot) -> Int { model.accounts.firstIndex { $0.id == account.id } ?? 0 }

    private var current: ClientSession.ID? {
        if case .signedIn(let session, _) = model.state { session.id } else { nil }
    }
}
#endif
