<html><body>
<pre>
Corporate Name Changes
(Business Corporations Act)

SAMPLE LATE LTD. Named Alberta Corporation Incorporated 2001 JUNE 05. New Name: SAMPLE PUNCTUAL LTD. Effective Date: 2026 JAN 07. No: 2009111116.
2901234 ALBERTA LTD. Numbered Alberta Corporation Incorporated 2025 DEC 16. New Name: SAMPLE KITES INC. Effective Date: 2026 JAN 08. No: 2029012344.

Certificate of Intent to Dissolve
(Business Corporations Act)

2008222222 SAMPLE TIRED LTD. 2026 JAN 09.

Corporations Dissolved/Struck Off/Registration Cancelled

SAMPLE OLD LTD. 2026 JAN 10.
SAMPLE PUNCTUAL LTD. 2026 JAN 10.
SAMPLE YETI LTD. 2026 JAN 32.

Corporations Revived/Reinstated/Restored

SAMPLE GONE LTD. Named Alberta Corporation Incorporated 1999 MAY 04. Struck-Off The Alberta Register 2025 DEC 02. Revived 2026 JAN 11. No: 2007333334.
SAMPLE STRANGE LTD. Lunar Corporation Registered 1999 MAY 04. Struck-Off The Alberta Register 2024 NOV 02. Revived 2026 JAN 12. No: 2107333343.

Notices of Amalgamation
(Business Corporations Act)

Notice is hereby given that
	SAMPLE RIVER LTD.
	SAMPLE LAKE INC.
were on 2026 JAN 01 amalgamated as one corporation under the name
	SAMPLE RIVER LTD.
	No. 2030444445
The registered office of the corporation shall be
	300 BANK STREET
	LETHBRIDGE ALBERTA, T1J 0A1

Notice is hereby given that
	SAMPLE HALF LTD.
________________
</pre></body></html>
