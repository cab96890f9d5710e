#if canImport(SwiftUI)
public import SwiftUI

public struct LockView: View {
    private let model: AuthViewModel

    public init(_ model: AuthViewModel) { self.model = model }

    public var body: some View { EmptyView() }
}
#endif
