<html><head><title>Registrar's Periodical</title></head>
<body><p>Copyright and Disclaimer</p>
<PRE>
SERVICE ALBERTA

Corporate Registrations, Incorporations, and Continuations
(Business Corporations Act, Cemetery Companies Act, Companies Act, Cooperatives Act, Societies Act)

2901234 ALBERTA LTD. Numbered Alberta Corporation Incorporated 2025 DEC 16 Registered Address: 1400, 525 - 8 AVENUE SW, CALGARY ALBERTA, T2P1G1. No: 2029012344.
SAMPLE TWIN LTD. Named Alberta Corporation Incorporated 2025 DEC 17 Registered Address: 12 ELM STREET, RED DEER ALBERTA, T4N 1V1. No: 2029012351.
SAMPLE TWIN LTD. Federal Corporation Registered 2025 DEC 18 Registered Address: 9 OAK ROAD, EDMONTON ALBERTA, T5J 1R2. No: 2129012368.
SAMPLE R&amp;D INC Other Prov/Territory Corps Registered 2025 DEC 18 Registered Address: BOX 7, PEACE RIVER ALBERTA. No: 2129012376.
SAMPLE SOCIETY FOR PIGEONS Alberta Society Incorporated 2025 SEPT 3 Registered Address: SOMEWHERE IN THE WOODS. No: 5029012385.
SAMPLE BROKEN LTD. Named Alberta Corporation Incorporated 2025 DEC 19 Registered Address: 1 A STREET, CALGARY ALBERTA

Corporations Liable for Dissolution / Strike Off /
Cancellation of Registration
(Business Corporations Act)

SAMPLE OLD LTD. 2025 DEC 02.
SAMPLE LATE LTD. 2025 DEC 02.
SAMPLE TWIN LTD. 2025 DEC 20.

Corporations Dissolved/Struck Off
(Business Corporations Act)

SAMPLE GONE LTD. 2025 DEC 02.
</PRE></body></html>
