#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
import SwiftUI

/// A picker for the region whose national numbers are accepted in the field below.
struct PhoneRegionPicker: View {
    let model: AuthViewModel
    let form: AuthForm

    var body: some View {
        @Bindable var model = model
        Picker(model.texts(.phoneRegionLabel), selection: $model.phoneRegion) {
            Text(model.texts(.phoneRegionInternational)).tag(PhoneRegion?.none)
            ForEach(model.phoneRegions) { named in
                Text(named.title).tag(PhoneRegion?.some(named.region))
            }
        }
        .pickerStyle(.menu)
        .accessibilityIdentifier("\(form.rawValue).region")
    }
}
#endif
