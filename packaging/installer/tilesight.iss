; Inno Setup 6 script: the Windows installer. dev.py build calls it on Windows with
; /DVersion, /DBundle (folder made by PyInstaller), /DIcon and /DLicence.
; NOT BUILT YET: no Windows machine was at hand when it was written.

#ifndef Version
  #error Run it through: python packaging/dev.py build
#endif

#define Title "Tilesight"
#define Window "tilesightw.exe"
#define Console "tilesight.exe"
#define Popef "Tilesight.popef.1"
#define Profile "Tilesight.profile.1"

[Setup]
AppId={{5E3C5A0B-6E3B-4D0E-9C37-7A3A5B0E5C11}
AppName={#Title}
AppVersion={#Version}
AppVerName={#Title} {#Version}
AppPublisher=The Tilesight developers
VersionInfoVersion={#Version}
DefaultDirName={autopf}\{#Title}
DefaultGroupName={#Title}
DisableProgramGroupPage=yes
LicenseFile={#Licence}
OutputBaseFilename=tilesight-{#Version}-windows-x64-setup
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\{#Window}
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
; for one person without administrator's rights, or for all: the person is asked, /ALLUSERS and /CURRENTUSER choose
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog commandline
ChangesAssociations=yes
ChangesEnvironment=yes
CloseApplications=yes
#ifdef Sign
SignTool=sign
SignedUninstaller=yes
#endif

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "popef"; Description: "Open PopEF models (.popef) with {#Title}"
Name: "path"; Description: "Add the command tilesight to PATH"; Flags: unchecked
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; an older version's files must not lie between the new ones
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[UninstallDelete]
; what the program can make anew; settings.json and notes belong to the user and stay
Type: filesandordirs; Name: "{localappdata}\tilesight\columns"
Type: filesandordirs; Name: "{localappdata}\tilesight\unpacked"

[Icons]
Name: "{autoprograms}\{#Title}"; Filename: "{app}\{#Window}"; AppUserModelID: "Tilesight"
Name: "{autodesktop}\{#Title}"; Filename: "{app}\{#Window}"; Tasks: desktopicon

[Registry]
; HKA is HKLM for all and HKCU for one person. Kinds of our own:
Root: HKA; Subkey: "Software\Classes\{#Popef}"; ValueType: string; ValueData: "PopEF model"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\{#Popef}\DefaultIcon"; ValueType: string; ValueData: "{app}\{#Window},0"
Root: HKA; Subkey: "Software\Classes\{#Popef}\shell\open\command"; ValueType: string; ValueData: """{app}\{#Window}"" ""%1"""
Root: HKA; Subkey: "Software\Classes\{#Profile}"; ValueType: string; ValueData: "Accelerator profile"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\{#Profile}\DefaultIcon"; ValueType: string; ValueData: "{app}\{#Window},0"
Root: HKA; Subkey: "Software\Classes\{#Profile}\shell\open\command"; ValueType: string; ValueData: """{app}\{#Window}"" ""%1"""
; .popef becomes ours where nobody has it and the person agrees; the others are only offered under "Open with"
Root: HKA; Subkey: "Software\Classes\.popef"; ValueType: string; ValueData: "{#Popef}"; Flags: createvalueifdoesntexist uninsdeletevalue; Tasks: popef
Root: HKA; Subkey: "Software\Classes\.popef\OpenWithProgids"; ValueType: string; ValueName: "{#Popef}"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.bin\OpenWithProgids"; ValueType: string; ValueName: "{#Profile}"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.rep\OpenWithProgids"; ValueType: string; ValueName: "{#Profile}"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.ncrep\OpenWithProgids"; ValueType: string; ValueName: "{#Profile}"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.npu-rep\OpenWithProgids"; ValueType: string; ValueName: "{#Profile}"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.json\OpenWithProgids"; ValueType: string; ValueName: "{#Profile}"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.cbor\OpenWithProgids"; ValueType: string; ValueName: "{#Profile}"; ValueData: ""; Flags: uninsdeletevalue
; the window's program in lists of programs, and for Start > Run
Root: HKA; Subkey: "Software\Classes\Applications\{#Window}"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "{#Title}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Applications\{#Window}\shell\open\command"; ValueType: string; ValueData: """{app}\{#Window}"" ""%1"""
Root: HKA; Subkey: "Software\Microsoft\Windows\CurrentVersion\App Paths\{#Console}"; ValueType: string; ValueData: "{app}\{#Console}"; Flags: uninsdeletekey
; the command on the path
Root: HKLM; Subkey: "SYSTEM\CurrentControlSet\Control\Session Manager\Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsAdminInstallMode and NeedsPath('{app}')
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: (not IsAdminInstallMode) and NeedsPath('{app}')

[Run]
Filename: "{app}\{#Window}"; Description: "{cm:LaunchProgram,{#Title}}"; Flags: nowait postinstall skipifsilent

[Code]
procedure EnvironmentKey(var Root: Integer; var Key: String);
begin
  if IsAdminInstallMode then
  begin
    Root := HKEY_LOCAL_MACHINE;
    Key := 'SYSTEM\CurrentControlSet\Control\Session Manager\Environment';
  end
  else
  begin
    Root := HKEY_CURRENT_USER;
    Key := 'Environment';
  end;
end;

function NeedsPath(Folder: String): Boolean;
var
  Root: Integer;
  Key, Path: String;
begin
  EnvironmentKey(Root, Key);
  if not RegQueryStringValue(Root, Key, 'Path', Path) then
    Path := '';
  Result := Pos(';' + Uppercase(ExpandConstant(Folder)) + ';', ';' + Uppercase(Path) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Root, At: Integer;
  Key, Path, Folder: String;
begin
  if Step <> usPostUninstall then
    exit;
  EnvironmentKey(Root, Key);
  Folder := ExpandConstant('{app}');
  if RegQueryStringValue(Root, Key, 'Path', Path) then
  begin
    At := Pos(';' + Uppercase(Folder) + ';', ';' + Uppercase(Path) + ';');
    if At > 0 then
    begin
      { At counts in a text with one more semicolon in front: the folder and one semicolon go }
      if At = 1 then
        Delete(Path, 1, Length(Folder) + 1)
      else
        Delete(Path, At - 1, Length(Folder) + 1);
      RegWriteExpandStringValue(Root, Key, 'Path', Path);
    end;
  end;
end;
