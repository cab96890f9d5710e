#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import OstiaryCore
import SwiftUI

/// The lines that identify a signed-in person: the name, if known, and the identifiers.
struct PersonLines: Hashable {
    let title: String
    let details: [String]

    init(_ session: SessionSnapshot) {
        guard let user = session.user else {
            (title, details) = (session.label, [])
            return
        }
        var names = [user.fullName?.text, user.email?.text, user.username?.text, user.phoneNumber?.e164].compactMap(
            \.self)
        if names.isEmpty { names = [session.label] }
        title = names[0]
        // A username may equal the email address.
        var seen: Set<String> = [title]
        details = names.dropFirst().filter { seen.insert($0).inserted }
    }
}

struct PersonRow: View {
    let person: PersonLines
    let texts: AuthTexts

    var body: some View {
        Label {
            VStack(alignment: .leading, spacing: 2) {
                Text(person.title).font(.headline)
                ForEach(person.details, id: \.self) { detail in
                    Text(detail).font(.subheadline).foregroundStyle(.secondary)
                }
            }
        } icon: {
            Image(systemName: "person.crop.circle").accessibilityHidden(true)
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(
            texts(.signedInAs, ["name": ([person.title] + person.details).joined(separator: ", ")])
        )
        .accessibilityIdentifier("person")
    }
}
#endif
