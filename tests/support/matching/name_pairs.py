"""Pairs of invented names with the band in which their score must lie, as a careful reader would put them.

equal: the same name after normalisation, exactly 1. same: the same name, 0.95 and up. variant: likely the same, 0.7 and up.
other: another name, below 0.7.
"""

BANDS = {"equal": (1.0, 1.0), "same": (0.95, 0.9999), "variant": (0.7, 0.9499), "other": (0.0, 0.6999)}

_BUSINESSES = """
equal   | Zephyrine Bakery Inc.                       | ZEPHYRINE BAKERY INC
equal   | Zephyrine Bakery Inc.                       | Zephyrine Bakery Incorporated
equal   | Zephyrine Bakery Ltd.                       | Zephyrine Bakery Limitée
equal   | Zephyrine Ltée                              | Zephyrine Limited
equal   | Zephyrine Corp                              | Zephyrine Corporation
equal   | Zephyrine & Co.                             | Zephyrine and Company
equal   | Compagnie Zéphyrine                         | Zephyrine Cie
equal   | Zephyrine LLP                               | Zéphyrine s.e.n.c.r.l.
equal   | Zéphyrine S.E.N.C.R.L./LLP                  | Zéphyrine, s.e.n.c.r.l.
equal   | Zéphyrine, S.E.C.                           | Zephyrine Limited Partnership
equal   | Société en commandite Zéphyrine             | Zephyrine LP
equal   | Société en nom collectif Zéphyrine          | Zéphyrine s.e.n.c.
equal   | Zephyrine ULC                               | Zephyrine Unlimited Liability Company
equal   | Zephyrine P.C.                              | Zephyrine Professional Corporation
equal   | Zéphyrine enr.                              | Zephyrine Reg'd
equal   | Zephyrine Co-op                             | Zéphyrine Coopérative
equal   | Zephyrine Co-operative Ltd.                 | Zephyrine Cooperative Limited
equal   | The Zephyrine Bakery Inc.                   | Zephyrine Bakery, Inc. (The)
equal   | Zephyrine Star, The                         | The Zephyrine Star
equal   | L'Équipe Zéphyrine inc.                     | Equipe Zephyrine Inc
equal   | Pop's Zephyrine                             | Pops Zephyrine
same    | Banque Royale Zéphyrine                     | Royal Bank Zephyrine
variant | Gestion Zéphyrine inc.                      | Zephyrine Holdings Inc.
variant | Boulangerie Zéphyrine                       | Zephyrine Bakery
variant | Zephyrine Bakery Holdings Inc.              | Zephyrine Bakery Inc.
variant | Zephyrine Bakery GP Inc.                    | Zephyrine Bakery LP
variant | Zephyrine Harbour Trust Company             | ZHT
variant | Zephyrine Bakery Halifax                    | Zephyrine Bakery Inc.
same    | Zephyrine Harbour Consulti                  | Zephyrine Harbour Consulting Services Ltd.
same    | Zephyr1ne Bakery                            | Zephyrine Bakery
same    | Royal Canadian Mounted Police               | Gendarmerie royale du Canada
same    | GRC                                         | Royal Canadian Mounted Police
variant | Ministère des Forêts                        | Department of Forests
other   | Zephyrine Interior                          | Zephyrine Exterior
other   | Boat Rentals of Zephyrine                   | Boot Rentals of Kwiatek
variant | La Société Canadian Tire Limitée            | Canadian Tire Corporation
equal   | Zephyrine Co op                             | Zéphyrine Coopérative
variant | Zephyrine Lmited                            | Zephyrine Limited
other   | 4261607 Canada Inc.                         | 4261608 Canada Inc.
other   | Zephyrine Foods 12345                       | Zephyrine Foods 12346
other   | Zephyrine 2010 Ltd.                         | Zephyrine 2011 Ltd.
other   | Poulin Trucking                             | Piuin Trucking
equal   | Pop’s Zephyrine                             | Pop's Zephyrine
equal   | Zephyrine & Sons                            | Zephyrine and Sons
equal   | Zéphyrine & Fils                            | Zéphyrine et Fils
equal   | Zephyrine + Daughters                       | Zephyrine and Daughters
equal   | Z.E.P. Motors                               | ZEP Motors
equal   | Z E P Motors                                | Z.E.P. Motors
equal   | 9558-9321 Québec inc.                       | 95589321 QUEBEC INC.
equal   | 9558 9321 Québec inc.                       | 9558-9321 Québec Inc
equal   | 1,234,567 Canada Ltd.                       | 1234567 Canada Ltée
equal   | 1 234 567 Canada inc.                       | 1234567 Canada Inc.
equal   | 426160-7 Canada Inc.                        | 4261607 Canada Inc.
equal   | Zephyrine Store #1008                       | Zephyrine Store 1008
equal   | Zephyrine Int'l                             | Zephyrine International
equal   | Zephyrine Mfg. Svcs.                        | Zephyrine Manufacturing Services
equal   | Zephyrine Bros. Ltd                         | Zephyrine Brothers Limited
equal   | St. Zephyrine Motors                        | Saint Zephyrine Motors
equal   | Garage Ste-Zéphyrine                        | Garage Sainte-Zephyrine
equal   | Zephyrine Centre                            | Zephyrine Center
equal   | Œuvres Zéphyrine                            | Oeuvres Zephyrine
equal   | Bjørn Łukasz Straße                         | Bjorn Lukasz Strasse
equal   | ＺＥＰＨＹＲＩＮＥ　Ｌｔｄ                     | Zephyrine Ltd
equal   | Zephyrine (Ltd.) Bakery                     | Zephyrine Bakery Limited
equal   | Zephyrine Company Limited                   | Zephyrine Co. Ltd.
equal   | Zephyrine–Orlovska Inc.                     | Zephyrine-Orlovska Inc.
equal   | ООО Зефирина                                | Зефирина, ООО
equal   | Zephyrine GmbH                              | OOO Zephyrine
same    | Zephyrine Bakery                            | Zephyrine Bakery Inc.
same    | Zephyrine Bakery Inc.                       | Zephyrine Bakery Ltd.
variant | Zephyrine Bakery Inc.                       | Zephyrine Bakery LLP
same    | Zephyrine Bakery                            | Société en commandite Zephyrine Bakery
same    | Zephyrine Bakery Ltd.                       | Zephyrine Bakry Ltd.
same    | Zephyrine Bakery Ltd.                       | Zephirine Bakery Ltd.
same    | Zephyrine Bakery Ltd.                       | Zephyirne Bakery
same    | Zephyrine Construciton Ltd.                 | Zephyrine Construction Ltd.
same    | Bakery Zephyrine                            | Zephyrine Bakery
same    | Zephyrine Orlovska                          | Orlovska Zephyrine Inc.
same    | Zephyrine Bio Tech                          | Zephyrine Biotech
same    | Zephyrine Auto Body                         | Zephyrine Autobody
same    | Zephy rineBakery                            | Zephyrine Bakery
same    | ZephyrineBakery                             | Zephyrine Bakery
same    | Sun Peak Zephyrine                          | SunPeak Zephyrine
same    | Zephyrine Tech Inc.                         | Zephyrine Technologies Inc.
same    | Zephyrine Dev. Corp.                        | Zephyrine Development Corp.
same    | Zephyrine Const. Ltd.                       | Zephyrine Construction Ltd.
same    | Groupe Zéphyrine inc.                       | Zephyrine Group Inc.
same    | Zephyrine Service Ltd.                      | Zephyrine Services Ltd.
same    | Les Entreprises Zéphyrine inc.              | Zephyrine Enterprises Inc.
same    | Zephyrine Gardens                           | Zephyrine Garden
same    | Zephyrine's Bakery                          | Zephyrine Bakery
same    | 1234567 Canada Inc.                         | 1234567 Canada Limited
same    | 9558-9321 Québec inc.                       | 9558-9321 Quebec
same    | Zephyrine Assoc. Ltd.                       | Zephyrine Associates Ltd.
same    | Zéphyrine Électrique Ltée                   | Zephyrine Electric Ltd.
same    | National Bank                               | Nationl Bank
same    | 4261607 Canada                              | 426160 7 Canada
same    | Zephyrine Restaurant                        | Zephyrine Restaraunt
variant | Zephyrine                                   | Zephyrine Holdings
variant | Zephyrine Inc.                              | Zephyrine Canada Inc.
variant | Zephyrine Bakery                            | Zephyrine
variant | Zephyrine Bakery Toronto                    | Zephyrine Bakery
variant | Zephyrine Plumbing and Heating              | Zephyrine Plumbing
variant | Zephyrine Holdings                          | Zephyrine Holdings International
variant | Gestion Zéphyrine inc.                      | Zéphyrine inc.
variant | Orlovska Zephyrine Trading                  | Zephyrine Orlovska
variant | Boulangerie Zéphyrine                       | Zephyrine Bakery and Café
variant | J. Orlovska Plumbing                        | Jadwiga Orlovska Plumbing
variant | Blue Zephyrine Lodge                        | Zephyrine Lodge
variant | Zephyrine (1998) Ltd.                       | Zephyrine (1998) Bakery Ltd.
other   | Zephyrine Orlovska 2000 Ltd.                | Zephyrine Orlovska Ltd.
variant | Zephyrine Orlovska 12                       | Zephyrine Orlovska
variant | Zephirane Bakery                            | Zephyrine Bakery
variant | Orla                                        | Orlo
variant | Orlov Marine                                | Orlof Marine
variant | Zephyrine Fund II LP                        | Zephyrine Orlovska Fund II LP
variant | Zephyrine Immobilier                        | Zephyrine Realty Group
variant | J & Z Contracting                           | J & Z Contracting Services
variant | Zephyrine Co-operative                      | Zephyrine Co-operative Society
other   | 4261607 Canada Inc.                         | 4261608 Canada Inc.
other   | 4261607 Canada Inc.                         | 4261607 Ontario Inc.
other   | 9558-9321 Québec inc.                       | 9558-9312 Québec inc.
other   | Zephyrine Store 12                          | Zephyrine Store 21
other   | Zephyrine (1998) Ltd.                       | Zephyrine (2004) Ltd.
other   | Zephyrine Orlovska Fund II LP               | Zephyrine Orlovska Fund III LP
other   | Studio One Zephyrine                        | Studio Two Zephyrine
other   | Bank of the West                            | Bank of the East
other   | Zephyrine North Orlovska Inc.               | Zephyrine South Orlovska Inc.
other   | Garage Zéphyrine Nord                       | Garage Zéphyrine Sud
other   | Old Zephyrine Orlovska                      | New Zephyrine Orlovska
other   | Upper Zephyrine Orlovska Farm               | Lower Zephyrine Orlovska Farm
other   | Northern Zephyrine                          | Southern Zephyrine
other   | Canada Holdings Inc.                        | Canada Services Inc.
other   | Canada Holdings                             | Canada Holdings Services
other   | Holdings Inc.                               | Services Inc.
other   | National Bank                               | National Bank of Canada Trust
other   | Toronto Plumbing Ltd.                       | Toronto Dental Ltd.
other   | Toronto Plumbing                            | Toronto Plumbing and Heating
other   | Tremblay Plumbing                           | Tremblay Dental
other   | Plomberie Tremblay                          | Électricité Tremblay
other   | Zephyrine Holdings                          | Zephyrine Services
other   | Zephyrine Bakery                            | Zephyrine Motors
other   | Zephyrine Orlovska                          | Zephyrine Kwiatek
other   | Zephyrine Bakery                            | Orlovska Bakery
other   | Zephyrine Consulting                        | Zephyrine Construction
other   | Zephyrine Mining                            | Zephyrine Dining
other   | Zephyrine Toronto                           | Zephyrine Montréal
other   | Pizza Pizza                                 | Pizza
other   | Cat Transport                               | Car Transport
other   | Zephyrine                                   | Orlovska
other   | Zephyrine Ltd.                              | Orlovska Ltd.
other   | 11420 Corp.                                 | Corp.
other   | The Company                                 | The Corporation
other   | Sunrise Co-operative                        | Sunrise Ltd.
other   | Company Kitchen                             | Kitchen
other   | Zephyrine                                   | Zephyrine Orlovska
other   | Zephyrine                                   | Zephyrine Orlovska Kwiatek Partners
other   | 中国银行                                     | 北京银行
other   | Les Aliments du Québec                      | Les Meubles du Québec
other   | Red Orlovska Lodge                          | Blue Orlovska Lodge
other   | Zephyrine GP Inc.                           | Orlovska GP Inc.
"""

_PEOPLE = """
equal   | Jean-François Orlovski      | ORLOVSKI, Jean-François
equal   | Jean François Orlovski      | Jean-François Orlovski
equal   | Dr. Zofia Kwiatek           | Zofia Kwiatek
equal   | Zofia Kwiatek, CPA          | Mme Zofia Kwiatek
equal   | Zofia O'Kwiatek             | ZOFIA OKWIATEK
equal   | Zofia Kwiatek Jr.           | Zofia Kwiatek, Jr.
equal   | Zofia                       | ZOFIA
same    | Zofia Kwiatek               | Kwiatek Zofia
same    | Bob Orlovski                | Robert Orlovski
same    | Bill Orlovski               | ORLOVSKI, William
same    | Mohammed Orlovski           | Muhammad Orlovski
same    | Zofia M. Kwiatek            | Zofia Kwiatek
same    | Zofia Kwiatekova            | Zofia Kwiatekowa
same    | Jeanfrancois Orlovski       | Jean-François Orlovski
same    | Maria de la Kwiatek         | Maria Delakwiatek
same    | Ahmad al-Orlovi             | Ahmed Orlovi
variant | Zofia Maria Kwiatek         | Zofia Kwiatek
variant | Z. Kwiatek                  | Zofia Kwiatek
variant | Zofia Kwiatek Orlovski      | Zofia Kwiatek
variant | Zofia Kwiatek Sr.           | Zofia Kwiatek
same    | Sofia Kwiatek               | Zofia Kwiatek
variant | Z. Kwiatek                  | KWIATEK, Zofia Maria
variant | Zofia Kwiatek               | KWIATEK ORLOVSKA, Zofia
other   | Zofia Maria                 | KWIATEK, Zofia Maria
other   | Zofia Kwiatek               | ORLOVSKA, Zofia K.
other   | Sara Kwiatek                | Bara Kwiatek
other   | Zofia Kwiatek               | Marta Kwiatek
other   | Zofia Kwiatek               | Zofia Orlovski
other   | Zofia Kwiatek Sr.           | Zofia Kwiatek Jr.
other   | Zofia Maria Kwiatek         | Zofia Berta Kwiatek
other   | Zofia                       | Zofia Kwiatek
other   | Kwiatek                     | KWIATEK, Zofia Maria
other   | Z. K.                       | Zofia Kwiatek
other   | George Kwiat                | George Kwiatbash
other   | Zofia Kwiatek               | Berta Orlovski
"""


def _pairs(table: str) -> list[tuple[str, str, str]]:
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return [(band, a, b) for band, a, b in rows]


BUSINESSES = _pairs(_BUSINESSES)
PEOPLE = _pairs(_PEOPLE)
