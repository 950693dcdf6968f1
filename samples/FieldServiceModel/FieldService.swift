// Generated from OData metadata; do not edit.
// swift-format-ignore-file

/// Types of the namespace FieldService.
public enum FieldService {}
