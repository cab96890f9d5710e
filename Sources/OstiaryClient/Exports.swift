// An app imports this module alone: members of these modules' types are visible to it then, see decision 40.
@_exported public import OstiaryContracts
@_exported public import OstiaryCore
