#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import OstiaryCore
public import SwiftUI

/// The list of the devices that the account recognizes; each can be forgotten.
public struct DevicesView: View {
    @State private var hasLooked = false
    private let model: AuthViewModel

    /// Creates the screen for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The list.
    public var body: some View {
        Form {
            if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
            if model.isBusy(.loadDevices), model.devices.isEmpty {
                Section { ProgressView(model.texts(.loading)) }
            } else if hasLooked, model.error == nil, model.devices.isEmpty {
                Section { Text(model.texts(.noDevices)).accessibilityIdentifier("no-devices") }
            }
            ForEach(model.devices, id: \.id) { device in
                Section {
                    DeviceRow(device: device, texts: model.texts)
                    Button(role: .destructive) {
                        model.forgetDevice(device.id)
                    } label: {
                        Text(model.texts(isBusy(device) ? .forgetDeviceBusy : .forgetDevice))
                    }
                    .disabled(isBusy(device))
                    .accessibilityLabel(label(device))
                    .accessibilityIdentifier("forget.\(device.id.text)")
                }
            }
            if !model.devices.isEmpty { Section { Text(model.texts(.devicesNote)).font(.footnote) } }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(.devices))
        .titleInBar()
        .task {
            await model.loadDevices()?.value
            hasLooked = true
        }
        .refreshable { await model.loadDevices()?.value }
    }

    /// Returns the accessibility label. It begins with the visible text, which is the name for Voice Control (WCAG
    /// 2.5.3).
    private func label(_ device: DeviceSummary) -> String {
        guard !isBusy(device) else { return model.texts(.forgetDeviceBusy) }
        return model.texts(.forgetDeviceOf, ["device": device.deviceName(model.texts)])
    }

    private func isBusy(_ device: DeviceSummary) -> Bool { model.isBusy(.forgetDevice(device.id)) }
}
#endif
