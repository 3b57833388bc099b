"""The 338 columns of GLEIF's golden copy of entities, in order."""

from collections.abc import Iterable

_ADDRESS = (
    *("FirstAddressLine", "AddressNumber", "AddressNumberWithinBuilding", "MailRouting"),
    *(f"AdditionalAddressLine.{line}" for line in range(1, 4)),
    *("City", "Region", "Country", "PostalCode"),
)
_EVENT = (
    *("group_type", "event_status", "group_id", "group_sequence_no", "LegalEntityEventType"),
    *("LegalEntityEventEffectiveDate", "LegalEntityEventRecordedDate", "ValidationDocuments", "ValidationReference"),
    *(f"AffectedFields.{place}.{name}" for place in range(1, 6) for name in ("AffectedField", "field_xpath")),
)


def _numbered(prefix: str, names: Iterable[str]) -> list[str]:
    """Return five numbered columns for each part. The empty part is the base column."""
    return [f"{prefix}.{place}.{name}".rstrip(".") for place in range(1, 6) for name in names]


COLUMNS = (
    *("LEI", "Entity.LegalName", "Entity.LegalName.xmllang"),
    *_numbered("Entity.OtherEntityNames.OtherEntityName", ("", "xmllang", "type")),
    *_numbered("Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName", ("", "xmllang", "type")),
    *(f"Entity.LegalAddress.{name}" for name in ("xmllang", *_ADDRESS)),
    *(f"Entity.HeadquartersAddress.{name}" for name in ("xmllang", *_ADDRESS)),
    *_numbered("Entity.OtherAddresses.OtherAddress", ("xmllang", "type", *_ADDRESS)),
    *_numbered("Entity.TransliteratedOtherAddresses.TransliteratedOtherAddress", ("xmllang", "type", *_ADDRESS)),
    "Entity.RegistrationAuthority.RegistrationAuthorityID",
    "Entity.RegistrationAuthority.OtherRegistrationAuthorityID",
    "Entity.RegistrationAuthority.RegistrationAuthorityEntityID",
    *("Entity.LegalJurisdiction", "Entity.EntityCategory", "Entity.EntitySubCategory"),
    *("Entity.LegalForm.EntityLegalFormCode", "Entity.LegalForm.OtherLegalForm"),
    *("Entity.AssociatedEntity.type", "Entity.AssociatedEntity.AssociatedLEI"),
    *("Entity.AssociatedEntity.AssociatedEntityName", "Entity.AssociatedEntity.AssociatedEntityName.xmllang"),
    *("Entity.EntityStatus", "Entity.EntityCreationDate", "Entity.EntityExpirationDate", "Entity.EntityExpirationReason"),
    *_numbered("Entity.SuccessorEntity", ("SuccessorLEI", "SuccessorEntityName", "SuccessorEntityName.xmllang")),
    *_numbered("Entity.LegalEntityEvents.LegalEntityEvent", _EVENT),
    *("Registration.InitialRegistrationDate", "Registration.LastUpdateDate", "Registration.RegistrationStatus"),
    *("Registration.NextRenewalDate", "Registration.ManagingLOU", "Registration.ValidationSources"),
    "Registration.ValidationAuthority.ValidationAuthorityID",
    "Registration.ValidationAuthority.OtherValidationAuthorityID",
    "Registration.ValidationAuthority.ValidationAuthorityEntityID",
    *_numbered(
        "Registration.OtherValidationAuthorities.OtherValidationAuthority",
        ("ValidationAuthorityID", "OtherValidationAuthorityID", "ValidationAuthorityEntityID"),
    ),
    "ConformityFlag",
)
