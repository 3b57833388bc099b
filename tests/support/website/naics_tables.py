"""Official tables of two classes, as files, in the columns of the real ones: what tests of reading them change one thing of."""

from pathlib import Path

STRUCTURE = """Level,Hierarchical structure,Code,Class title,Superscript,Class definition
1,Sector,31-33,Making,,Things are made.
2,Subsector,311,Food making,,Food is made.
4,Industry,31181,Bread making,CAN,Bread is made.
5,Canadian industry,311811,Counter bakeries,CAN,Bread is baked and sold.
5,Canadian industry,311814,Bread factories,CAN,"Bread is made, and shipped."
"""
ELEMENTS = """Level,Code,Class title,Element Type Label,Element Description
5,311811,Counter bakeries,All examples,"bakery, with counter"
5,311811,Counter bakeries,Illustrative example(s),"Bakery, with counter"
5,311811,Counter bakeries,Exclusion(s),frozen dough (See 311814 Bread factories (CAN))
5,311814,Bread factories,All examples,frozen bread making
5,311814,Bread factories,Inclusion(s),sliced bread
4,31181,Bread making,Exclusion(s),selling only (See 445291 Baked goods)
"""
FRENCH_STRUCTURE = """Niveau,Structure hiérarchique,Code,Titres de classes,Exposant,Définitions de la classe
5,Classe canadienne,311811,Boulangeries à comptoir,CAN,Du pain y est cuit et vendu.
"""
FRENCH_ELEMENTS = """Niveau,Code,Titres de classes,Étiquette de type d'élément,Description de l'élément
5,311811,Boulangeries à comptoir,Tous les exemples,boulangerie avec comptoir
"""


def write_tables(folder: Path, *contents: str) -> list[Path]:
    """Files of these contents."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"table-{number}.csv" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content, encoding="utf-8")
    return paths
