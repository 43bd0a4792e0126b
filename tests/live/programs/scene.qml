import QtQuick
import QtQuick.Window
import QtQuick3D

// A turning row of objects on a floor, drawn with a shadow in every frame, and 4x multisampling unless
// it is called with "plain".
Window {
    width: 320
    height: 180
    visible: true

    View3D {
        anchors.fill: parent

        environment: SceneEnvironment {
            clearColor: "steelblue"
            backgroundMode: SceneEnvironment.Color
            antialiasingMode: Qt.application.arguments.includes("plain") ? SceneEnvironment.NoAA
                                                                         : SceneEnvironment.MSAA
            antialiasingQuality: SceneEnvironment.High
        }

        PerspectiveCamera {
            y: 200
            z: 400
            eulerRotation.x: -25
        }

        DirectionalLight {
            eulerRotation.x: -45
            castsShadow: true
            shadowMapQuality: Light.ShadowMapQualityLow
        }

        Model {
            source: "#Rectangle"
            scale: Qt.vector3d(6, 6, 1)
            eulerRotation.x: -90
            materials: DefaultMaterial { diffuseColor: "gray" }
        }

        Node {
            Repeater3D {
                model: 6
                Model {
                    source: index % 2 ? "#Cube" : "#Sphere"
                    scale: Qt.vector3d(0.4, 0.4, 0.4)
                    x: (index - 2.5) * 70
                    y: 40
                    materials: DefaultMaterial { diffuseColor: "orange" }
                }
            }

            NumberAnimation on eulerRotation.y {
                from: 0
                to: 360
                duration: 5000
                loops: Animation.Infinite
            }
        }
    }
}
